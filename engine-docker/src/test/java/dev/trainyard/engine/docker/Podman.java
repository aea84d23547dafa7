package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Podman's compatible socket, with a place for images and containers of its own. */
record Podman(Process process, Path place, DockerConnection connection) implements AutoCloseable {
  /** Not those of the Docker engine's tests, which may run at the same time. */
  static final AddressRange NETWORKS = AddressRange.parse("10.214.0.0/16");

  private static final Path PROGRAM = Path.of("/usr/bin/podman");
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 20_000_000;

  static Podman start() throws IOException {
    Requirement.require("podman", Files.isExecutable(PROGRAM), "podman is not installed");
    Requirement.require("podman", RealEngine.USER == 0, "only root's podman can be used");
    Path place = Files.createTempDirectory("trainyard-podman");
    Path socket = place.resolve("podman.sock");
    Process process =
        new ProcessBuilder(words(place, "system", "service", "--time=0", "unix://" + socket))
            .redirectErrorStream(true)
            .redirectOutput(place.resolve("log").toFile())
            .start();
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      try {
        return new Podman(process, place, DockerConnection.open(socket));
      } catch (EngineException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          throw new IOException(Files.readString(place.resolve("log")), e);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static List<String> words(Path place, String... command) {
    List<String> words =
        new java.util.ArrayList<>(
            List.of(
                PROGRAM.toString(),
                "--root",
                place.resolve("root").toString(),
                "--runroot",
                place.resolve("run").toString(),
                "--network-config-dir",
                place.resolve("networks").toString(),
                "--cgroup-manager",
                "cgroupfs",
                "--events-backend",
                "file"));
    words.addAll(List.of(command));
    return words;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    process.destroy();
    try {
      process.onExit().join();
      TestImages.run(words(place, "system", "reset", "--force").toArray(String[]::new));
      String rule = "PREROUTING -s " + NETWORKS + " -d 169.254.0.0/16 -j DROP";
      TestImages.run(("iptables -w 10 -t raw -D " + rule).split(" ", -1));
      TestImages.run("rm", "-rf", place.toString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
