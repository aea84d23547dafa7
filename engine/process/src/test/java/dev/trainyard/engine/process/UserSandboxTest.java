package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the isolation that the sandbox of an ordinary user's server must ensure because all its
 * tasks have the same user ID.
 */
class UserSandboxTest {
  @TempDir static Path data;
  static RealEngine realEngine;

  @BeforeAll
  static void open() {
    Assumptions.assumeFalse(RealEngine.IS_ROOT, "to be run by an ordinary user");
    realEngine = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  /**
   * A task inherits only its standard streams, which are FIFOs, because it could use any other
   * inherited descriptor to escape.
   */
  @Test
  void descriptors_areTheStreamsOnly() throws IOException {
    Result result =
        realEngine.run(
            "cd /proc/self/fd; for d in *; do [ -e $d ] && echo $d $(stat -L -c %F $d); done");

    assertThat(result.stdout().lines().filter(line -> !line.contains("/proc")))
        .contains("0 character special file", "1 fifo", "2 fifo")
        .noneMatch(line -> line.contains("directory"))
        .hasSizeLessThanOrEqualTo(4);
  }

  @Test
  void supervisor_isInvisibleAndCannotBeStopped() throws IOException {
    Result result =
        realEngine.run(
            "ls -d /proc/1 /proc/1/root /proc/1/fd; kill -KILL 1; kill -STOP 1; kill -TERM 1;"
                + " echo alive; exit 3");

    assertThat(result.stdout()).isEqualTo("alive\n");
    assertThat(result.end().exitCode()).isEqualTo(3);
  }

  /**
   * A task can signal the processes that copy its output, because they have the same user ID. This
   * affects only the task itself.
   */
  @Test
  void copiers_stoppedByTask_taskSucceeds() throws IOException {
    Result result =
        realEngine.run("for p in 2 3 4 5 6 7 8 9; do [ $p = $$ ] || kill -STOP $p; done; exit 0");

    assertThat(result.end().reason()).isEqualTo(ExitReason.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo 1 > /proc/sys/user/max_user_namespaces",
        "echo 1 > /proc/sys/kernel/shmmax",
        "touch /sys/fs/cgroup/x",
        "umount -l /proc/sys",
        "umount -l /sys/fs/cgroup",
        "mount -o remount,rw /usr/local/pai",
        "chroot / true",
        "ls /proc/1/root/",
      })
  void privilegedOperation_isRejected(String attempt) throws IOException {
    assertThat(realEngine.run(attempt).end().exitCode()).isNotIn(0, 127);
  }

  @Test
  void capabilities_areNone() throws IOException {
    Result result =
        realEngine.run("grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status");

    assertThat(result.stdout().replaceAll("\\s+", " "))
        .isEqualTo(
            "CapPrm: 0000000000000000 CapEff: 0000000000000000 CapBnd: 0000000000000000 CapAmb:"
                + " 0000000000000000 NoNewPrivs: 1 ");
  }

  /** Possession of a keyring is sufficient to read its keys. */
  @Test
  void keyring_notShared() throws IOException {
    Result result = realEngine.run("cat /proc/keys");

    assertThat(
            result
                .stdout()
                .lines()
                .filter(line -> line.contains(" user ") || line.contains("logon")))
        .isEmpty();
  }

  @Test
  void task_canAddProgramsAndChangeFiles() throws IOException {
    Result result =
        realEngine.run(
            "printf '#!/bin/sh\\necho works\\n' > /usr/local/bin/ty && chmod 755 /usr/local/bin/ty"
                + " && ty && sed -i 's/root/toor/' /etc/passwd && head -c4 /etc/passwd");

    assertThat(result.stdout()).isEqualTo("works\ntoor");
    assertThat(Path.of("/usr/local/bin/ty")).doesNotExist();
  }

  @Test
  void directoriesWithoutPermissions_areDeleted() throws IOException {
    Result result =
        realEngine.run(
            "mkdir -p /opt/a/b /newdir/x /tmp/y && touch /opt/a/b/c && chmod 0 /opt/a/b /opt/a"
                + " /newdir /tmp/y && echo closed");
    assertThat(result.stdout()).isEqualTo("closed\n");
    realEngine.engine.remove(result.id());

    RealEngine.await(() -> RealEngine.isEmpty(data.resolve("trash")));
  }

  @Test
  void homeOfTheAccount_isHidden() throws IOException {
    for (String home : HiddenDirectories.homesOfThisAccount()) {
      if (Files.isDirectory(Path.of(home))) {
        assertThat(realEngine.run("ls -A " + home).stdout()).as(home).isEmpty();
      }
    }
  }

  @Test
  void secretsOfTheServer_areEmpty(@TempDir Path otherData) throws IOException {
    Path secret = Path.of("/etc/passwd");
    ProcessEngineConfig config =
        new ProcessEngineConfig(otherData, Optional.empty(), "/nonexistent")
            .withSecrets(List.of(secret));
    try (RealEngine realEngineWithSecrets = new RealEngine(otherData, new ProcessEngine(config))) {
      assertThat(realEngineWithSecrets.run("wc -c < /etc/passwd").stdout()).isEqualTo("0\n");
    }
  }

  /** Simulates hosts that do not allow an ordinary user to mount overlays on their directories. */
  @Test
  void withoutLayers_hostIsReadOnlyAndHidesTheSame(@TempDir Path otherData) throws IOException {
    ProcessEngineConfig config =
        new ProcessEngineConfig(otherData, Optional.empty(), "/nonexistent");
    EngineEnvironment engineEnvironment =
        EngineEnvironment.open(
            config,
            (data, _, tools, supervisorLauncher) ->
                UserSandbox.open(
                    data,
                    new UserHostViews(
                        data,
                        List.of(Path.of("/etc/passwd")),
                        MountTable::ofThisProcess,
                        hostView -> hostView.view().overlayPaths()),
                    tools,
                    supervisorLauncher));
    try (RealEngine realEngineWithoutLayers =
        new RealEngine(otherData, new ProcessEngine(config, engineEnvironment))) {
      Result result =
          realEngineWithoutLayers.run(
              "touch /usr/x /etc/x /var/x; ls -A /var/log /home /root /run /var/spool | grep -v :$;"
                  + " wc -c < /etc/passwd; grep -c main-0 /etc/hosts; echo x > /var/tmp/y && echo"
                  + " tmp; echo kept > f; cat /userhome/f; id -u; ls "
                  + otherData);

      assertThat(result.stdout().lines().filter(line -> !line.isEmpty()))
          .as(result.toString())
          .containsExactly("0", "1", "tmp", "kept", "0");
    }
  }

  /** A segment that no process has attached is not counted as memory of the task. */
  @Test
  void sharedMemory_notAttached_isLimitedToTheTasksMemory() throws IOException {
    Result limit = realEngine.run("cat /proc/sys/kernel/shmall");
    Assumptions.assumeTrue(
        limit.stdout().equals("65536\n"), "this kernel does not allow a namespace to set shmall");
    Result result =
        realEngine.run(
            "ipcmk -M 200000000 >/dev/null && echo first; ipcmk -M 200000000 >/dev/null && echo"
                + " second; echo end");

    assertThat(result.stdout()).isEqualTo("first\nend\n");
  }

  @Test
  void processes_areCounted() throws IOException {
    assertThat(realEngine.run("ulimit -u").stdout()).isEqualTo("16384\n");
  }
}
