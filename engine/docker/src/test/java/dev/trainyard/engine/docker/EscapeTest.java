package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the attempts of a hostile task. */
class EscapeTest {
  @TempDir Path data;
  private RealEngine engine;

  @BeforeEach
  void open() {
    engine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/userhome/../../etc", "etc", "/", "/proc/x", "/dev/shm", "/usr/local/pai"})
  void volume_forbiddenTarget(String target) {
    Draft draft = engine.task("true");
    draft.volumes.add(new Volume(data.resolve("home"), target, Volume.Access.OWNED));
    assertThatThrownBy(draft::reserve).isInstanceOf(EngineException.class);
    assertThat(engine.engine.list()).isEmpty();
  }

  @Test
  void host_unreachable() {
    String script =
        "bad=0; try() { if \"$@\" 2>/dev/null; then echo \"could: $*\"; bad=1; fi; };"
            + " try ls /var/run/docker.sock; try ls /run/docker.sock; try mknod /tmp/disk b 254 0;"
            + " try head -c 1 /dev/mem; try mount -t tmpfs none /mnt; try ls "
            + data
            + ";"
            + " try touch /usr/local/pai/x; try touch /usr/local/pai/secrets/x;"
            + " try sh -c 'echo x >/proc/sys/kernel/hostname';"
            + " try sh -c 'echo 1 >/proc/sysrq-trigger';"
            + " try sh -c 'ps ax | grep -q [d]ockerd'; exit $bad";
    Draft draft = engine.task(script);

    assertThat(draft.run().exitCode()).as(engine.log(draft.id, "stdout")).isZero();
  }

  @Test
  void network_ofAnotherJob_unreachable() {
    Draft server = engine.task("echo ready; sleep 300");
    String address = server.reserve();
    server.start();
    // A connection that is not blocked is refused immediately, because no process listens on that
    // port; a blocked one times out or has no route.
    String probe =
        "probe() { timeout 3 bash -c \"echo >/dev/tcp/$1/$2\" 2>&1 | grep -q 'Connection refused'"
            + " && echo \"$3\" || echo \"no $3\"; }; ";
    Draft sameJob = engine.task(probe + "probe " + address + " 1 reached");
    sameJob.id = new TaskId(server.id.job(), 1, "main", 1);
    sameJob.run();
    Draft otherJob = engine.task(probe + "probe " + address + " 1 reached");
    otherJob.run();

    assertThat(engine.log(sameJob.id, "stdout")).isEqualTo("reached\n");
    assertThat(engine.log(otherJob.id, "stdout")).isEqualTo("no reached\n");
  }

  /** No metadata service is available here, so the firewall rules are checked instead. */
  @Test
  void network_metadataAddress_blocked() throws Exception {
    Requirement.require("root", TestHost.USER == 0, "only root can read the rules");
    boolean podman = TestImages.connection().isPodman();
    String rules =
        podman
            ? TestHost.run("iptables", "-w", "10", "-t", "raw", "-S", "PREROUTING")
            : TestHost.run("iptables", "-w", "10", "-S", "DOCKER-USER");
    String rulePrefix = podman ? "-A PREROUTING -s 10.214" : "-A DOCKER-USER -s 10.213";
    for (String metadata : List.of("169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32")) {
      assertThat(rules)
          .contains(rulePrefix + ".0.0/16 -d " + metadata + (podman ? " -j DROP" : " -j REJECT"));
    }
  }

  @Test
  void end_forgedByTheTask_notTrusted() {
    // The task can forge only how it ended itself.
    Draft draft =
        engine.task(
            "for i in 1 2; do echo 'code=0 signal=0 oom=0 full=0 outside=1 .'"
                + " >/usr/local/pai/.trainyard/end; done; exit 9");
    assertThat(draft.run().exitCode()).isEqualTo(9);
    Draft invalidRecord =
        engine.task("head -c 100000 /dev/zero >/usr/local/pai/.trainyard/end; kill -9 -1");
    assertThat(invalidRecord.run().reason())
        .isIn(ExitReason.KILLED_BY_SIGNAL, ExitReason.COMMAND_FAILED, ExitReason.SUCCEEDED);
  }

  @Test
  void end_recordMadeUnreadable_isReported() {
    Draft draft = engine.task("chmod 0 /usr/local/pai/.trainyard/*; exit 9");
    TaskEnd end = draft.run();
    // A server of an ordinary user cannot read the record, so it counts as missing.
    assertThat(end.reason())
        .isEqualTo(TestHost.USER == 0 ? ExitReason.COMMAND_FAILED : ExitReason.SUPERVISOR_LOST);
    engine.reopen();
    assertThat(engine.observation(draft.id).end()).contains(end);
  }

  @Test
  void signal_sentByTask_isReportedAsKilled() {
    Draft draft = engine.task("kill -TERM 1; sleep 300");
    assertThat(draft.run().reason()).isEqualTo(ExitReason.KILLED_BY_SIGNAL);
  }
}
