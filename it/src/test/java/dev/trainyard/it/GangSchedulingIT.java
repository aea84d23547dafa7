package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With gang scheduling, either all tasks of a job start or none. */
class GangSchedulingIT extends NeedsSandbox {
  @TempDir Path directory;

  /**
   * In the first attempt, a file blocks the path of the directory of one task. The next attempt
   * uses another directory.
   */
  @Test
  void reservationFails_noTaskRuns() throws Exception {
    Path data = directory.resolve("data");
    try (Trainyard yard = Trainyard.start(data, "--capacity", "cpu=4,memoryMB=4096")) {
      submit(yard, "blocker", "until [ -e /userhome/go ]; do sleep 0.1; done", 4, 0);
      String gang =
          submit(yard, "gang", "echo $PAI_TASK_ROLE_NAME-$PAI_TASK_INDEX >>/userhome/ran", 2, 2);
      Path taken = data.resolve("tasks").resolve(gang + ".1.second.1");
      Files.writeString(taken, "in the way");

      Files.createFile(data.resolve("home/admin/go"));
      yard.await(gang, "SUCCEEDED");

      assertThat(Files.readAllLines(data.resolve("home/admin/ran")))
          .containsExactlyInAnyOrder("first-0", "first-1", "second-0", "second-1");
      JsonNode job = yard.run("show", gang, "--json").json();
      assertThat(job.path("attempt").asInt()).isEqualTo(2);
      for (JsonNode task :
          yard.run("show", gang, "--attempt", "1", "--json").json().path("tasks")) {
        assertThat(task.path("started").isNull()).as(task.toString()).isTrue();
      }
    }
  }

  private String submit(Trainyard yard, String name, String command, int first, int second)
      throws Exception {
    StringBuilder file = new StringBuilder();
    file.append("{\"jobName\":\"").append(name).append("\",\"image\":\"any\",\"taskRoles\":[");
    file.append(role("first", first, command));
    if (second > 0) {
      file.append(',').append(role("second", second, command));
    }
    file.append("]}");
    Path written = Files.writeString(directory.resolve(name + ".json"), file.toString());
    Result submitted = yard.run("submit", written.toString(), "--json");
    assertThat(submitted.exitCode()).as(submitted.toString()).isZero();
    return submitted.json().path("id").asText();
  }

  private static String role(String name, int tasks, String command) throws Exception {
    return Trainyard.JSON
        .createObjectNode()
        .put("name", name)
        .put("taskNumber", tasks)
        .put("cpuNumber", 1)
        .put("memoryMB", 128)
        .put("gpuNumber", 0)
        .put("command", command)
        .toString();
  }
}
