package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jobs of OpenPAI's second format from submission to completion. */
class OpenPaiV2IT extends NeedsSandbox {
  private static final Path EXAMPLES = Trainyard.CHECKOUT.resolve("examples");

  @TempDir Path directory;

  @Test
  void run_example_everyTaskFinishes() throws Exception {
    try (Trainyard yard = start()) {
      Result run = yard.run("run", EXAMPLES.resolve("hello.yaml").toString());
      assertThat(run.exitCode()).as(run.toString()).isZero();
      assertThat(run.out().lines())
          .containsExactlyInAnyOrder("worker-0 | finished", "worker-1 | finished");
      Path output = yard.data().resolve("home/admin/output");
      assertThat(output.resolve("worker-1.txt")).hasContent("finished");
    }
  }

  private static final String SEEN =
      "env | sort; ls -R /usr/local/pai; . /usr/local/pai/runtime.d/runtime_env.sh;"
          + " grep -c PAI_ /etc/environment";

  /**
   * Checks the environment of tasks of both formats with one job for each format, because starting
   * jobs takes most of the time.
   */
  @Test
  void run_bothFormats_haveTheirEnvironment() throws Exception {
    try (Trainyard yard = start()) {
      Path v1 =
          Files.writeString(
              directory.resolve("one.json"),
              """
              {"jobName": "one", "image": "x", "outputDir": "/userhome/$PAI_JOB_NAME", "taskRoles": [
               {"name": "worker", "taskNumber": 2, "command": "%s"}]}
              """
                  .formatted(SEEN));
      Path v2 =
          Files.writeString(
              directory.resolve("two.yaml"),
              """
              protocolVersion: 2
              name: two
              type: job
              prerequisites: [{name: i, type: dockerimage, uri: x}]
              taskRoles:
                worker:
                  instances: 2
                  dockerImage: i
                  resourcePerInstance: {cpu: 1, memoryMB: 256, gpu: 0}
                  commands: ['%s']
              extras: {gangAllocation: false}
              """
                  .formatted(SEEN));
      assertThat(run(yard, v1))
          .contains(
              "worker-0 | PAI_JOB_NAME=one",
              "worker-0 | PAI_OUTPUT_DIR=/userhome/one",
              "worker-1 | RANK=1",
              "worker-1 | WORLD_SIZE=2",
              "worker-1 | NVIDIA_VISIBLE_DEVICES=none",
              "worker-0 | job_config.json",
              "worker-0 | hostfile",
              "worker-0 | precommands.sh",
              "worker-0 | runtime_env.sh",
              "worker-0 | /usr/local/pai/secrets:")
          .anyMatch(line -> line.matches("worker-0 \\| TF_CONFIG=.*\"worker\".*"))
          .anyMatch(line -> line.matches("worker-0 \\| PAI_HOST_IP_worker_1=127[.].*"));
      assertThat(run(yard, v2))
          .contains(
              "worker-0 | PAI_JOB_NAME=admin~two",
              "worker-0 | PAI_RESOURCE_worker=0,1,256,0",
              "worker-1 | FC_TASK_INDEX=1",
              "worker-0 | job_config.yaml",
              "worker-0 | user.sh",
              "worker-0 | /usr/local/pai/plugins:")
          .noneMatch(line -> line.contains("RANK=") || line.contains("hostfile"))
          .noneMatch(line -> line.startsWith("worker-0 | PAI_HOST_IP_worker_1"));
    }
  }

  private static List<String> run(Trainyard yard, Path file) throws Exception {
    Result run = yard.run("run", file.toString());
    assertThat(run.exitCode()).as(run.toString()).isZero();
    return run.out().lines().toList();
  }

  /**
   * OpenPAI joins the commands of a v2 file in such a way that the first command that fails ends
   * the task.
   */
  @Test
  void run_commandFails_endsV2AndNotV1() throws Exception {
    try (Trainyard yard = start()) {
      Path v2 =
          Files.writeString(
              directory.resolve("errexit.yaml"),
              """
              protocolVersion: 2
              name: errexit
              type: job
              prerequisites: [{name: i, type: dockerimage, uri: x}]
              taskRoles:
                worker:
                  dockerImage: i
                  resourcePerInstance: {cpu: 1, memoryMB: 256, gpu: 0}
                  commands: ['echo begin', 'false', 'echo end']
              """);
      Result failed = yard.run("run", v2.toString());
      assertThat(failed.exitCode()).isEqualTo(1);
      assertThat(failed.out()).isEqualTo("begin\n");
      assertThat(yard.run("show", "errexit", "--json").json().get("state").asText())
          .isEqualTo("FAILED");
      // With pipefail, the exit code would be that of "yes", which a signal terminates.
      Path v1 =
          Files.writeString(
              directory.resolve("pipe.json"),
              """
              {"jobName": "pipe", "image": "x", "taskRoles": [
               {"name": "main", "memoryMB": 256, "command": "false\\nyes | head -n 1"}]}
              """);
      Result succeeded = yard.run("run", v1.toString());
      assertThat(succeeded.exitCode()).as(succeeded.toString()).isZero();
      assertThat(succeeded.out()).isEqualTo("y\n");
      assertThat(yard.run("show", "pipe", "--json").json().get("state").asText())
          .isEqualTo("SUCCEEDED");
    }
  }

  @Test
  void run_converted_isTheSameJob() throws Exception {
    try (Trainyard yard = start()) {
      Result v2 = yard.run("convert", EXAMPLES.resolve("hello.json").toString(), "--to", "v2");
      assertThat(v2.exitCode()).as(v2.toString()).isZero();
      Path file = Files.writeString(directory.resolve("hello.yaml"), v2.out());
      Result run = yard.run("run", file.toString());
      assertThat(run.exitCode()).as(run.toString()).isZero();
      assertThat(run.out()).isEqualTo("finished\n");
    }
  }

  @Test
  void check_examples_areValid() throws Exception {
    try (Trainyard yard = start()) {
      Result check = yard.run("check", EXAMPLES.toString());
      assertThat(check.exitCode()).as(check.toString()).isZero();
    }
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(directory.resolve("data"), "--capacity", "cpu=4,memoryMB=4096");
  }
}
