package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ServedShell;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists with failed jobs, jobs that can never start, and the jobs of all users. */
class JobListTextTest extends ServedShell {
  private static final String FAILED =
      """
      {"id":"01J","name":"hello","user":"alice","state":"FAILED","exitCode":1,"attempt":1,
       "virtualCluster":"default","cpus":1,"memoryMB":512,"devices":0,"submitted":1,
       "reason":"exited with code 1","neverFits":false,
       "failure":{"code":"end.exit.python-import.phrase","message":"x","params":{}}}
      """;

  private static final String LARGE =
      """
      {"id":"01K","name":"large","user":"alice","state":"WAITING","attempt":0,"taskCount":1,
       "virtualCluster":"default","cpus":1,"memoryMB":512,"devices":8,"submitted":1,"tasks":[],
       "reason":"needs 8 GPUs","neverFits":true,"failure":null}
      """;

  @Test
  void ls_failedJob_namesTheDiagnosis() {
    server.on("GET", "/api/v3/jobs", 200, "{\"jobs\":[" + FAILED + "]}");
    assertThat(shell.run("ls")).isZero();
    assertThat(shell.out()).contains("Python cannot import a module").doesNotContain("code 1");
    assertThat(shell.run("ls", "--lang=zh")).isZero();
    assertThat(shell.out()).contains("Python 无法导入模块");
  }

  @Test
  void ls_all_showsUsersAndResources() {
    String job =
        """
        {"jobs":[{"id":"01L","name":"train","user":"bob","state":"RUNNING","attempt":1,
          "virtualCluster":"vision","cpus":4,"memoryMB":65536,"devices":2,"submitted":1}]}
        """;
    server.on("GET", "/api/v3/jobs", 200, job);
    server.on("GET", "/api/v3/me", 200, "{\"user\":\"alice\",\"admin\":true}");
    assertThat(shell.run("ls", "-a")).isZero();
    assertThat(shell.out())
        .containsSubsequence("JOB", "VIRTUAL CLUSTER", "CPUS", "MEMORY", "DEVICES")
        .containsSubsequence("bob~train", "running", "vision", "4", "64 GiB", "2");
  }

  @Test
  void lsAndShow_jobThatCanNeverStart_isUnschedulable() {
    server.on("GET", "/api/v3/jobs", 200, "{\"jobs\":[" + LARGE + "]}");
    server.on("GET", "/api/v3/jobs/large", 200, LARGE);
    for (List<String> command : List.of(List.of("ls"), List.of("show", "large"))) {
      assertThat(shell.run(command.toArray(String[]::new))).isZero();
      assertThat(shell.out()).contains("unschedulable", "needs 8 GPUs").doesNotContain("waiting");
    }
    assertThat(shell.run("ls", "--lang=zh")).isZero();
    assertThat(shell.out()).contains("无法调度").doesNotContain("排队中");
  }
}
