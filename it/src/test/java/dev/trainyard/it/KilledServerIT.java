package dev.trainyard.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * If a server is killed repeatedly at random moments, every job finishes once, with the right
 * result. {@code -Dtrainyard.chaos.rounds=100} sets the number of rounds.
 */
class KilledServerIT extends NeedsSandbox {
  private static final int ROUNDS =
      Integer.getInteger("trainyard.chaos.rounds", Boolean.getBoolean("trainyard.full") ? 10 : 2);
  private static final int JOBS = 200;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void serverKilled_everyJobFinishesOnce(Database kind) throws Exception {
    ShortJobs shortJobs = new ShortJobs(System.nanoTime());
    Path data = directory.resolve("data");
    try (Database.Running database = kind.open(data)) {
      List<String> all = new ArrayList<>(database.options());
      all.addAll(List.of("--capacity", "cpu=10,memoryMB=20480"));
      String[] options = all.toArray(String[]::new);
      Trainyard first = Trainyard.start(data, options);
      shortJobs.submit(first, JOBS * ROUNDS / 10);
      first.kill();
      for (int round = 0; round < ROUNDS; round++) {
        // Does not wait until the server is ready, so that it may be killed while it adopts running
        // tasks.
        Process server = Trainyard.launch(data, Map.of(), options);
        shortJobs.sleepRandomly(3_000);
        server.destroyForcibly().waitFor();
      }
      try (Trainyard last = Trainyard.start(data, options)) {
        shortJobs.checkResults(last, shortJobs.awaitEnds(last));
        shortJobs.checkOnce(data.resolve("home/admin"));
        ShortJobs.checkNothingLeft(data);
      }
    }
  }
}
