package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a server whose system clock is changed while it runs. */
class ClockIT extends NeedsSandbox {
  private static Path library;

  @TempDir Path directory;

  @BeforeAll
  static void findLibrary() throws IOException {
    try (Stream<Path> libraries =
        Files.find(
            Path.of("/usr/lib"), 4, (path, _) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
      library =
          libraries
              .findFirst()
              .orElseThrow(
                  () -> Requirement.missing("faketime", "package faketime is not installed", null));
    }
  }

  @Test
  void clockSetBack_everyJobFinishesOnce() throws Exception {
    ShortJobs shortJobs = new ShortJobs(System.nanoTime());
    Path data = directory.resolve("data");
    Path offset = Files.writeString(directory.resolve("clock"), "+0");
    Map<String, String> environment =
        Map.of(
            "LD_PRELOAD",
            library.toString(),
            "FAKETIME_TIMESTAMP_FILE",
            offset.toString(),
            "FAKETIME_NO_CACHE",
            "1",
            "FAKETIME_DONT_FAKE_MONOTONIC",
            "1",
            // Without this variable, every timed wait of the JVM ends immediately and is repeated.
            "FAKETIME_FORCE_MONOTONIC_FIX",
            "0");
    try (Trainyard yard =
        Trainyard.start(data, environment, "--capacity", "cpu=10,memoryMB=20480")) {
      shortJobs.submit(yard, 40);
      shortJobs.sleepRandomly(1_000);
      Files.writeString(offset, "-3600");
      shortJobs.checkResults(yard, shortJobs.awaitEnds(yard));
      shortJobs.checkOnce(data.resolve("home/admin"));
      ShortJobs.checkNothingLeft(data);
    }
  }
}
