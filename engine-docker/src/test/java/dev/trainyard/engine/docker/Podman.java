package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Podman's compatible socket, with a place for images and containers of its own. */
record Podman(Process process, Path place, DockerConnection connection) implements AutoCloseable {
  /** Not those of the Docker engine's tests, which may run at the same time. */
  static final AddressRange NETWORKS = AddressRange.parse("10.214.0.0/16");

  private static final Path PROGRAM = Path.of("/usr/bin/podman");
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 20_000_000;

  /** Only where it is asked for: another engine's containers are not every build's matter. */
  static Podman start() throws IOException {
    String required = System.getenv().getOrDefault("TRAINYARD_REQUIRE", "");
    Requirement.require(
        "podman",
        List.of(required.split(",", -1)).contains("podman"),
        "TRAINYARD_REQUIRE has no podman");
    Requirement.require("podman", Files.isExecutable(PROGRAM), "podman is not installed");
    Requirement.require("podman", RealEngine.USER == 0, "only root's podman can be used");
    Path place = Files.createTempDirectory("trainyard-podman");
    Path socket = place.resolve("podman.sock");
    // Limits that it may set where it has few rights itself, and the runtime that is everywhere.
    Files.writeString(
        place.resolve("containers.conf"),
        """
        [containers]
        default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
        [engine]
        runtime = "runc"
        """);
    Process process =
        podman(place, "system", "service", "--time=0", "unix://" + socket)
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

  private static ProcessBuilder podman(Path place, String... command) {
    List<String> words = new ArrayList<>(List.of(PROGRAM.toString()));
    words.addAll(List.of("--root", place + "/root", "--runroot", place + "/run"));
    words.addAll(List.of("--network-config-dir", place + "/networks"));
    words.addAll(List.of("--cgroup-manager", "cgroupfs", "--events-backend", "file"));
    words.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("CONTAINERS_CONF", place + "/containers.conf");
    return builder;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    process.destroy();
    try {
      process.onExit().join();
      podman(place, "system", "reset", "--force")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      String rule = "PREROUTING -s " + NETWORKS + " -d 169.254.0.0/16 -j DROP";
      TestImages.run(("iptables -w 10 -t raw -D " + rule).split(" ", -1));
      TestImages.run("rm", "-rf", place.toString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
