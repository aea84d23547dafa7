package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TemporaryDirectory;
import dev.trainyard.server.job.Job;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a queue of large jobs does not fill the heap. */
class LargeQueueTest {
  private static final int ROLES = 10_000;
  private static final int COPIES = 40;

  /** A v2 file of about 900 KB; its tasks need more CPUs than any node has. */
  private static String file() {
    StringBuilder text =
        new StringBuilder(
            """
            protocolVersion: 2
            name: large
            type: job
            prerequisites: [{name: i, type: dockerimage, uri: x}]
            taskRoles:
            """);
    for (int i = 0; i < ROLES; i++) {
      text.append(" r").append(i);
      text.append(": {dockerImage: i, resourcePerInstance: {cpu: 999, memoryMB: 1, gpu: 0}");
      text.append(", commands: [x]}\n");
    }
    return text.toString();
  }

  @Test
  void start_manyLargeWaitingJobs_fitIntoASmallHeap() throws Exception {
    Path data = TemporaryDirectory.create();
    try (Db db = Databases.open("", data);
        JobFixture fixture = new JobFixture(db)) {
      Job job = fixture.submit(file());
      db.write(
          handle -> {
            for (int i = 0; i < COPIES; i++) {
              String id = job.id().value().substring(0, 23) + String.format("%03d", i);
              handle.execute(
                  "insert into job (id, version, user_id, user_name, name, state, format, image,"
                      + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt,"
                      + " submitted, file_bytes) select ?, version, user_id, user_name, ?, state,"
                      + " format, image, virtual_cluster, cpus, memory_mb, devices, task_count,"
                      + " attempt, submitted, file_bytes from job where id = ?",
                  id,
                  "copy-" + i,
                  job.id().value());
              handle.execute(
                  "insert into job_config (job_id, raw, spec, warnings) select ?, raw, spec,"
                      + " warnings from job_config where job_id = ?",
                  id,
                  job.id().value());
            }
            return null;
          });
    }

    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LargeQueueTest.class.getName(),
                data.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(said).endsWith("waiting: " + (COPIES + 1) + "\n");
  }

  /** Starts a queue on a data directory, like a server after a crash. */
  public static void main(String[] arguments) {
    try (Db db = Databases.open("", Path.of(arguments[0]));
        JobFixture fixture = new JobFixture(db).started()) {
      int waiting = fixture.pipeline().depth();
      assertThat(
              db.<Long>read(handle -> fixture.store.countUnfinished(handle).get(JobState.WAITING)))
          .isEqualTo(waiting);
      System.out.println("waiting: " + waiting);
    }
    System.exit(0);
  }
}
