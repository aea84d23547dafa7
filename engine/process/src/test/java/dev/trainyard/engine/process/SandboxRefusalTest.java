package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verifies with real tasks that a task cannot perform forbidden operations. */
class SandboxRefusalTest {
  @TempDir static Path data;
  static RealEngine realEngine;

  @BeforeAll
  static void open() {
    realEngine = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat /etc/shadow",
        "cp /etc/shadow /tmp/x && cat /tmp/x",
        "chmod 644 /etc/shadow && cat /etc/shadow",
        "mv /etc/shadow /etc/s && cat /etc/s",
        "ln /etc/shadow /tmp/l && cat /tmp/l",
      })
  void shadow_cannotBeRead(String attempt) throws IOException {
    Result result = realEngine.run(attempt + "; echo; ls -l /etc/shadow >&2");

    assertThat(result.stdout()).isEqualTo("\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/root", "/home", "/run", "/boot", "/mnt", "/srv", "/var/log"})
  void hostDirectories_areEmpty(String directory) throws IOException {
    Result result = realEngine.run("[ -d " + directory + " ] && ls -A " + directory);

    assertThat(result.stdout()).isEmpty();
    assertThat(result.stderr()).isEmpty();
  }

  /** The file is created after the task has started, so checks before the start cannot hide it. */
  @Test
  void secretFile_createdWhileTheTaskRuns() throws IOException {
    RealEngine.requireRoot();
    Path secret = Path.of("/usr/share/trainyard-secret-" + data.getFileName());
    Path publicFile = Path.of("/usr/share/trainyard-open-" + data.getFileName());
    Draft draft =
        realEngine.task(
            "echo ready; until [ -e /userhome/go ]; do sleep 0.02; done;"
                + " cat "
                + secret
                + "; cat "
                + publicFile
                + "; chmod 644 "
                + secret
                + "; cat "
                + secret);
    try {
      draft.start();
      RealEngine.await(
          () -> RealEngine.read(realEngine.logs(draft.id), "stdout").contains("ready"));
      Files.writeString(secret, "secret");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
      Files.writeString(publicFile, "open");
      Files.createFile(realEngine.home(1).resolve("go"));

      assertThat(realEngine.awaitEnd(draft.id).stdout()).isEqualTo("ready\nopen");
    } finally {
      Files.deleteIfExists(secret);
      Files.deleteIfExists(publicFile);
    }
  }

  @Test
  void secretDirectory_cannotBeEntered() throws IOException {
    RealEngine.requireRoot();
    Path secret = Files.createDirectory(Path.of("/opt/trainyard-" + data.getFileName()));
    try {
      Files.writeString(secret.resolve("key"), "secret");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));
      Result result =
          realEngine.run(
              "cd " + secret + "; cat key; chmod 755 " + secret + "; ls; cat " + secret + "/key");

      assertThat(result.stdout()).doesNotContain("key").doesNotContain("secret");
    } finally {
      Files.delete(secret.resolve("key"));
      Files.delete(secret);
    }
  }

  @Test
  void dataDirectory_invisible() throws IOException {
    Result result =
        realEngine.run(
            "ls -d " + data + " " + data + "/tasks; find / -name '" + data.getFileName() + "*'");

    assertThat(result.stdout()).isEmpty();
  }

  @Test
  void dataDirectory_inOtherLocation_isHidden() throws IOException {
    RealEngine.requireRoot();
    Path otherData = Files.createTempDirectory(Path.of("/opt"), "trainyard");
    try (RealEngine otherEngine = new RealEngine(otherData)) {
      Files.setPosixFilePermissions(otherData, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.writeString(otherData.resolve("database"), "secret");
      Result result = otherEngine.run("ls -A " + otherData + " && echo listed");

      assertThat(result.stdout()).isEqualTo("listed\n");
    } finally {
      TreeDeleter.delete(otherData);
    }
  }

  @Test
  void otherUsersHome_cannotBeRead() throws IOException {
    Draft otherUserDraft = realEngine.task("echo private > /userhome/mine");
    otherUserDraft.user = 2;
    otherUserDraft.run();
    Result result =
        realEngine.run(
            "find / -name mine; cat " + realEngine.home(2) + "/mine; ls " + realEngine.home(2));

    assertThat(result.stdout()).isEmpty();
  }

  @Test
  void kernelSettings_cannotBeWritten() throws IOException {
    Result result =
        realEngine.run(
            "for f in kernel/core_pattern kernel/hostname vm/overcommit_memory fs/file-max; do"
                + " echo x > /proc/sys/$f && echo wrote $f; done;"
                + " echo 1 > /proc/sysrq-trigger && echo wrote sysrq;"
                + " echo 1 > /sys/kernel/profiling && echo wrote sys");

    assertThat(result.stdout()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mount -t tmpfs none /tmp",
        "mount --bind /etc /tmp",
        "umount /proc",
        "umount -l /dev",
        "unshare --mount true",
        "unshare --user --map-root-user true",
        "chroot / true",
        "mknod /tmp/sda b 8 0",
        "hostname other",
        "pivot_root . .",
        "nsenter --target 1 --mount true",
        "touch /usr/local/pai/x",
      })
  void privilegedOperation_isRejected(String attempt) throws IOException {
    String tool = attempt.substring(0, attempt.indexOf(' '));
    boolean toolExists =
        Stream.of(Spawn.TOOL_PATH.split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    Assumptions.assumeTrue(toolExists, "this host has no " + tool);

    assertThat(realEngine.run(attempt).end().exitCode()).isNotIn(0, 127);
  }

  @ParameterizedTest
  @ValueSource(strings = {"perl", "shell"})
  void capabilities_limitedWithBothSupervisors(String supervisor) throws IOException {
    RealEngine.requireRoot();
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, supervisor);
    try (RealEngine engine = new RealEngine(data.resolve("by-" + supervisor))) {
      Result result =
          engine.run("grep -E '^(Cap|Uid|Gid|Groups|NoNewPrivs)' /proc/self/status | tr -d '\\t '");

      assertThat(result.stdout().lines())
          .containsExactly(
              "Uid:0000",
              "Gid:0000",
              "Groups:",
              "CapInh:0000000000000000",
              "CapPrm:00000000000004eb",
              "CapEff:00000000000004eb",
              "CapBnd:00000000000004eb",
              "CapAmb:0000000000000000",
              "NoNewPrivs:0");
    } finally {
      System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
    }
  }

  /** The supervisor, which is PID 1, and the copiers of the output do not belong to the task. */
  @Test
  void supervisor_isInvisible() throws IOException {
    RealEngine.requireRoot();
    Result result =
        realEngine.run(
            "[ -e /proc/1 ] && echo seen; kill -9 1 && echo killed; cat /proc/1/cmdline;"
                + " ls -d /proc/[0-9]* | wc -l");

    assertThat(result.stdout().strip()).doesNotContain("seen").doesNotContain("killed");
    assertThat(Integer.parseInt(result.stdout().strip())).isLessThan(6);
  }

  @Test
  void processesOutside_areInvisibleAndUnreachable() throws IOException {
    long serverPid = ProcessHandle.current().pid();
    Result result =
        realEngine.run(
            "kill -9 "
                + serverPid
                + " && echo killed; ls /proc | grep -c '^[0-9]*$'; ps ax | grep -c"
                + " [j]ava");

    assertThat(result.stdout().lines().toList().getLast()).isEqualTo("0");
    assertThat(Integer.parseInt(result.stdout().lines().findFirst().orElseThrow())).isLessThan(10);
    assertThat(result.stdout()).doesNotContain("killed");
  }

  @Test
  void setuidFileInHome_belongsToNoUserOfTheHost() throws IOException {
    RealEngine.requireRoot();
    Result result =
        realEngine.run("cp /bin/sh /userhome/sh && chmod 4755 /userhome/sh && ls -l /userhome/sh");
    Path file = realEngine.home(1).resolve("sh");

    assertThat(result.end().exitCode()).isZero();
    assertThat((Integer) Files.getAttribute(file, "unix:uid")).isEqualTo(IdRange.of(1).base());
  }

  @Test
  void setuidFileInHome_isIgnoredInside() throws IOException {
    RealEngine.requireRoot();
    Result result =
        realEngine.run(
            "cp /usr/bin/id /userhome/id; chmod 4755 /userhome/id; chmod 755 /userhome;"
                + " setpriv --reuid 5 --clear-groups /userhome/id -u");

    assertThat(result.stdout()).isEqualTo("5\n");
  }

  @Test
  void device_notAssigned_invisible() throws IOException {
    Result result = realEngine.run("ls /dev; head -c1 /dev/vda /dev/sda /dev/kmsg /dev/mem");

    assertThat(result.stdout().lines())
        .containsExactlyInAnyOrder(
            "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout",
            "tty", "urandom", "zero");
  }

  @Test
  void device_onlyTheAssignedCanBeUsed() throws IOException {
    RealEngine.requireRoot();
    String node = "/dev/trainyard-" + data.getFileName();
    long zeroDeviceNumbers = 1 << 8 | 5;
    Linux.createNode(Linux.AT_FDCWD, node, Linux.CHARACTER_DEVICE, 0600, zeroDeviceNumbers);
    try {
      String script = "head -c 3 " + node + " | wc -c; ls /dev | grep -c nvidia";
      Draft draftWithDevice = realEngine.task(script);
      draftWithDevice.devices =
          List.of(
              new Device(
                  DeviceVendor.NVIDIA, 3, "", DataSize.ZERO, List.of(node, "/dev/nvidia77")));

      assertThat(draftWithDevice.run().stdout()).isEqualTo("3\n0\n");
      assertThat(realEngine.run(script).stdout()).isEqualTo("0\n0\n");
    } finally {
      Files.delete(Path.of(node));
    }
  }

  @Test
  void environmentOfTheServer_isInvisible() throws IOException {
    Result result = realEngine.run("env; cat /proc/*/environ | tr '\\0' '\\n'");

    assertThat(result.stdout()).doesNotContain("JAVA_HOME").doesNotContain("surefire");
    assertThat(result.stdout().lines().map(line -> line.replaceFirst("=.*", "")).distinct())
        .isSubsetOf(
            "PATH",
            "HOME",
            "LATE",
            "PWD",
            "SHLVL",
            "_",
            "OLDPWD",
            "CUDA_VISIBLE_DEVICES",
            "NVIDIA_VISIBLE_DEVICES",
            "ASCEND_VISIBLE_DEVICES",
            "HIP_VISIBLE_DEVICES",
            "ROCR_VISIBLE_DEVICES",
            "LANG",
            "LOGNAME",
            "USER",
            "PAI_WORK_DIR",
            "LC_ALL");
  }

  @Test
  void environmentOfTheJob_neverReachesTheTools() throws IOException {
    Draft draft = realEngine.task("echo ran");
    draft.environment.put("LD_PRELOAD", "/userhome/evil.so");
    draft.environment.put("ENV", "/userhome/evil.sh");
    draft.environment.put("odd.name", "kept");
    Result result = draft.run();

    assertThat(result.stdout()).isEqualTo("ran\n");
    assertThat(Files.readString(data.resolve("tasks/" + draft.id + "/error"))).isEmpty();
  }

  /** The server trusts its own files, so no task may have one of them open. */
  @Test
  void descriptors_areTheStreamsOnly() throws IOException {
    Result result = realEngine.run("for f in /proc/$$/fd/* /proc/self/fd/*; do readlink $f; done");

    assertThat(result.stdout()).isNotBlank().doesNotContain("state");
  }
}
