package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs OpenPAI's runtime plugins with real programs; only TensorBoard is replaced by a script. */
class PluginsIT extends NeedsSandbox {
  private static final Path EXAMPLE = Trainyard.CHECKOUT.resolve("examples/plugins.yaml");

  @TempDir Path directory;

  private static String file(String name, String commands, String extras) {
    return """
    protocolVersion: 2
    name: %s
    type: job
    prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
    taskRoles:
      w:
        dockerImage: i
        resourcePerInstance: {cpu: 1, memoryMB: 256, gpu: 0}
        commands: ['%s']
    extras:
    %s
    """
        .formatted(name, commands, extras.indent(2));
  }

  private Result run(Trainyard yard, String text) throws Exception {
    Path file = Files.writeString(directory.resolve("job.yaml"), text);
    return yard.run("run", file.toString());
  }

  /**
   * Checks the order of the commands, a cloned repository, and ssh in both directions with the
   * job's key.
   */
  @Test
  void run_example_gitAndSshBetweenTasks() throws Exception {
    Requirement.require("root", ROOT, "without root there is no second user ID for the ssh server");
    Requirement.require(
        "sshd", Files.isExecutable(Path.of("/usr/sbin/sshd")), "openssh-server is not installed");
    try (Trainyard yard = start()) {
      Result run = yard.run("run", EXAMPLE.toString());
      assertThat(run.exitCode()).as(run.toString()).isZero();
      assertThat(run.out().lines())
          .containsExactlyInAnyOrder(
              "worker-0 | hello",
              "worker-1 | hello",
              "worker-0 | worker-1",
              "worker-1 | worker-0",
              "worker-0 | task 0 is done",
              "worker-1 | task 1 is done");
      // The key of the job and the keys of the tasks were stored only in memory.
      Result found = yard.run("show", "plugins", "--json");
      assertThat(found.exitCode()).isZero();
      assertThat(found.out()).doesNotContain("PRIVATE KEY");
    }
  }

  @Test
  void run_sshSession_hasTheEnvironmentOfTheTask() throws Exception {
    Requirement.require("root", ROOT, "without root there is no second user ID for the ssh server");
    Requirement.require(
        "sshd", Files.isExecutable(Path.of("/usr/sbin/sshd")), "openssh-server is not installed");
    try (Trainyard yard = start()) {
      String commands =
          // The last line of the command counts the messages of a rejected connection; pipefail is
          // off so that the failure of ssh is ignored.
          "set +o pipefail; ssh w-0 \"id -u; pwd; echo \\$PAI_JOB_NAME; grep CapBnd"
              + " /proc/self/status\"; grep CapBnd /proc/self/status; echo x > f; scp -q f w-0:g &&"
              + " cat g; ssh -o BatchMode=yes -i /dev/null -o IdentitiesOnly=yes -F /dev/null -o"
              + " StrictHostKeyChecking=no -p $PAI_CONTAINER_SSH_PORT pai@$PAI_CURRENT_CONTAINER_IP"
              + " true 2>&1 | grep -c denied";
      Result run =
          run(
              yard,
              file(
                  "alone",
                  commands,
                  "com.microsoft.pai.runtimeplugin:\n"
                      + "- {plugin: ssh, parameters: {jobssh: true, sshbarrier: true}}"));
      assertThat(run.exitCode()).as(run.toString()).isZero();
      String[] lines = run.out().split("\n");
      assertThat(lines).startsWith("0", "/userhome").endsWith("x", "1");
      assertThat(lines[3]).startsWith("CapBnd").isEqualTo(lines[4]);
    }
  }

  @Test
  void run_otherPlugins_takeEffect() throws Exception {
    try (Trainyard yard = start()) {
      String board =
          """
          com.microsoft.pai.runtimeplugin:
          - plugin: cmd
            parameters:
              preCommands:
              - rm -f /userhome/board
              - printf '#!/bin/sh\\necho "$@" > /userhome/board\\nexec sleep 1000\\n' > /usr/local/bin/tensorboard
              - chmod +x /usr/local/bin/tensorboard
          - {plugin: tensorboard, parameters: {port: 6006, logdir: {it: /userhome/$PAI_TASK_INDEX}}}
          storages: [{name: nfs}]
          """;
      String waiting =
          "until [ -s /userhome/board ]; do sleep 0.1; done; cat /userhome/board; "
              + "ls -A /mnt/nfs; echo kept > /mnt/nfs/file";
      Result first = run(yard, file("board", waiting, board));
      assertThat(first.exitCode()).as(first.toString()).isZero();
      assertThat(first.out()).matches("--logdir=/userhome/0 --host=127\\.\\S+ --port=6006\n");
      assertThat(first.err()).contains("nfs is your own directory");
      Result second = run(yard, file("board", waiting, board));
      assertThat(second.out()).as(second.toString()).endsWith("--port=6006\nfile\n");
      assertThat(yard.data().resolve("storages/users/admin/nfs/file")).hasContent("kept");

      String failing =
          """
          com.microsoft.pai.runtimeplugin:
          - {plugin: tensorboard, failurePolicy: POLICY, parameters: {logdir: {it: /x}}}
          """;
      String text = file("no-board", "echo command", failing);
      Result rejected = run(yard, text.replace("POLICY", "fail"));
      assertThat(rejected.exitCode()).as(rejected.toString()).isEqualTo(255);
      assertThat(rejected.out()).isEmpty();
      JsonNode job = yard.run("show", "no-board", "--json").json();
      assertThat(job.at("/diagnosis/exit").asText()).isEqualTo("PLUGIN_FAILED");
      assertThat(job.at("/diagnosis/openpai/code").asInt()).isEqualTo(255);
      Result ignored = run(yard, text.replace("POLICY", "ignore"));
      assertThat(ignored.exitCode()).as(ignored.toString()).isZero();
      assertThat(ignored.out()).isEqualTo("command\n");
    }
  }

  private Trainyard start() throws Exception {
    return Trainyard.start(directory.resolve("data"), "--capacity", "cpu=4,memoryMB=4096");
  }
}
