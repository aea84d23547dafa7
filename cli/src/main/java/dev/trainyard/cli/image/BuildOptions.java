package dev.trainyard.cli.image;

import java.util.List;
import picocli.CommandLine.Option;

/** Options of a build. */
final class BuildOptions {
  @Option(
      names = {"-t", "--tag"},
      paramLabel = "NAME",
      required = true,
      descriptionKey = "build-tag")
  String name;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      descriptionKey = "build-file")
  String file = "Dockerfile";

  @Option(names = "--build-arg", paramLabel = "NAME=VALUE", descriptionKey = "build-arg")
  List<String> arguments = List.of();

  @Option(names = "--push", descriptionKey = "build-push")
  boolean push;

  @Option(names = "--cpus", paramLabel = "N", descriptionKey = "build-cpus")
  Integer cpus;

  @Option(names = "--memory", paramLabel = "SIZE", descriptionKey = "build-memory")
  String memory;

  @Option(names = "--vc", paramLabel = "VC", descriptionKey = "build-vc")
  String virtualCluster;

  @Option(names = {"-d", "--detach"})
  boolean detach;
}
