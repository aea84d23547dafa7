package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

class TaskDirectoryTest {
  @TempDir Path data;

  @RepeatedTest(20)
  void recordEnd_fromSeveralThreads_recordsOneEnd() throws Exception {
    TaskId id = new TaskId(new JobId("01J00000000000000000000000"), 1, "main", 0);
    Path path = Files.createDirectories(data.resolve("tasks").resolve(id.toString()));
    TaskDirectory task = new TaskDirectory(id, path, data);
    Files.writeString(task.file("state"), TaskState.INITIAL_CONTENT);
    EndRecord record = EndRecord.ofKilledTask(ExitReason.SUPERVISOR_LOST, "gone");
    int threads = 4;
    CyclicBarrier barrier = new CyclicBarrier(threads);
    try (var executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(
            executor.submit(
                () -> {
                  barrier.await();
                  task.recordEnd(record);
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertThat(task.end()).contains(record);
    assertThat(Files.readString(task.file("state")).lines().filter(line -> line.startsWith("end")))
        .hasSize(1);
  }
}
