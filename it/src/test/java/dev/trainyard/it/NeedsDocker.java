package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Base class of tests that run containers; they need a Docker engine with the base images. These
 * test classes run one at a time because one of them restarts the engine.
 */
@ResourceLock("docker")
abstract class NeedsDocker {
  /** Runs a {@code docker} command, which must succeed, and returns its output. */
  static String docker(String... arguments) throws Exception {
    String out = tryDocker(arguments);
    if (out == null) {
      throw new AssertionError("docker " + List.of(arguments) + " failed");
    }
    return out;
  }

  /** Like {@link #docker}, but returns null if the command failed. */
  static String tryDocker(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("docker");
    builder.command().addAll(List.of(arguments));
    builder.environment().put("DOCKER_BUILDKIT", "0"); // BuildKit may not be installed
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? out.strip() : null;
  }

  @BeforeAll
  static void needDocker() throws Exception {
    Requirement.require("docker", responds(), "no Docker engine responds to this account");
    for (String image : List.of("trainyard-test/busybox", "trainyard-test/python")) {
      Requirement.require(
          "docker",
          tryDocker("image", "inspect", image) != null,
          "it/docker/images has not built " + image);
    }
  }

  /** Returns the container of a job's only task; waits until Docker has started it. */
  static String container(String job) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      String found = docker("ps", "-q", "--filter", "name=-" + job);
      if (!found.isEmpty()) {
        return found;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("no container runs for " + job);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * Returns whether the engine responds within some seconds; a stopped engine may leave a socket
   * that accepts connections but does not respond.
   */
  private static boolean responds() throws Exception {
    try {
      Process version =
          new ProcessBuilder("docker", "version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = version.waitFor(20, TimeUnit.SECONDS);
      version.destroyForcibly();
      return ended && version.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Tags a test image with the name that a job uses, unless the engine already has an image with
   * this name.
   */
  static void tagImage(String name, String image) throws Exception {
    if (tryDocker("image", "inspect", name) == null) {
      docker("tag", image, name);
    }
  }

  /** Builds the image that replaces the images of the seed jobs and returns its name. */
  static String seedsImage() throws Exception {
    String name = "trainyard-test/seeds";
    String context = Trainyard.CHECKOUT.resolve("it/src/test/docker").toString();
    docker("build", "-q", "-t", name, context);
    return name;
  }

  /**
   * Removes the containers, networks and mounts of the server of a data directory; the server must
   * have exited. Successful tests leave none.
   */
  static void removeLeftovers(Path data) throws Exception {
    Path id = data.resolve("docker/id");
    if (!Files.exists(id)) {
      return;
    }
    String own = "label=dev.trainyard.server=" + Files.readString(id).strip();
    for (String container : docker("ps", "-aq", "--filter", own).lines().toList()) {
      tryDocker("rm", "-f", container);
    }
    for (String network : docker("network", "ls", "-q", "--filter", own).lines().toList()) {
      tryDocker("network", "rm", network);
    }
    String below = data.toRealPath() + "/";
    List<String> mounts =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .map(line -> line.split(" ", -1)[4])
            .filter(place -> place.startsWith(below))
            .toList();
    for (String place : mounts.reversed()) {
      new ProcessBuilder("umount", "--lazy", place).inheritIO().start().waitFor();
    }
  }
}
