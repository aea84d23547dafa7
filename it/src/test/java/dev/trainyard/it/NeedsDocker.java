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
 * Tests that run containers: a Docker engine must answer, and have the images to start from. One
 * class of them at a time: one restarts the engine.
 */
@ResourceLock("docker")
abstract class NeedsDocker {
  /** What `docker` printed; it must have worked. */
  static String docker(String... arguments) throws Exception {
    String out = tryDocker(arguments);
    if (out == null) {
      throw new AssertionError("docker " + List.of(arguments) + " failed");
    }
    return out;
  }

  /** The same, or null where it failed. */
  static String tryDocker(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("docker");
    builder.command().addAll(List.of(arguments));
    builder.environment().put("DOCKER_BUILDKIT", "0"); // the newer builder may not be there
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? out.strip() : null;
  }

  @BeforeAll
  static void needDocker() throws Exception {
    Requirement.require("docker", answers(), "no Docker engine answers this account");
    for (String image : List.of("trainyard-test/busybox", "trainyard-test/python")) {
      Requirement.require(
          "docker",
          tryDocker("image", "inspect", image) != null,
          "it/docker/images has not made " + image);
    }
  }

  /**
   * The container of a job's only task, once it runs: Docker starts it a little later than told.
   */
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

  /** Waits only for some seconds: a socket whose engine is stopped may stay silent. */
  private static boolean answers() throws Exception {
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
   * Makes a name of the test's stand out as one of our images. A machine may have the real one:
   * that is left as it is, and used.
   */
  static void provide(String name, String image) throws Exception {
    if (tryDocker("image", "inspect", name) == null) {
      docker("tag", image, name);
    }
  }

  /** The image that the seeds' jobs are run in, whatever they call it. */
  static String seedsImage() throws Exception {
    String name = "trainyard-test/seeds";
    String context = Trainyard.CHECKOUT.resolve("it/src/test/docker").toString();
    docker("build", "-q", "-t", name, context);
    return name;
  }

  /**
   * Removes containers, networks and mounts of the server of a data directory, which is no longer
   * running. After a test that succeeded there are none.
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
