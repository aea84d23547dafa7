package dev.trainyard.server.queue;

import com.sun.management.OperatingSystemMXBean;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.job.JobFileText;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Not a test: prints the cost of a job for the server from submission to end, without HTTP and with
 * an engine whose tasks end immediately.
 */
final class QueueThroughput {
  private static final int JOBS = 5_000;
  private static final int SUBMITTERS = 16;
  private static final int ROUNDS = 4;

  private QueueThroughput() {}

  public static void main(String[] args) throws Exception {
    for (TestDatabase kind : TestDatabase.values()) {
      try (Db db = kind.create();
          JobFixture fixture = new JobFixture(db).started()) {
        fixture.engine.endStartedTasks();
        for (int round = 0; round < ROUNDS; round++) {
          measure(kind, fixture, db, round);
        }
      }
    }
    System.exit(0);
  }

  private static void measure(TestDatabase kind, JobFixture fixture, Db db, int round)
      throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long startNanos = System.nanoTime();
    try (ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS)) {
      for (int i = 0; i < JOBS; i++) {
        String name = "job-" + round + "-" + i;
        submitters.execute(() -> fixture.submit(JobFileText.named(name)));
      }
    }
    long submitted = System.nanoTime();
    while (db.read(fixture.store::countUnfinished).values().stream().mapToLong(n -> n).sum() > 0) {
      Thread.sleep(20);
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf(
        "%s round %d: %.0f jobs/s (submission alone %.0f/s), %.2f ms CPU per job, all %s%n",
        kind,
        round,
        JOBS / seconds,
        JOBS / ((submitted - startNanos) / 1e9),
        (system.getProcessCpuTime() - cpu) / 1e6 / JOBS,
        JobState.SUCCEEDED);
  }
}
