package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.Isolation.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the system call filter with real tasks. */
class SystemCallFilterTest {
  private static final int EPERM = 1;
  private static final int ENOSYS = 38;
  private static final int NEW_USER = 0x10000000;

  @TempDir static Path data;
  static RealEngine realEngine;

  /**
   * A call that the filter rejects.
   *
   * @param arguments in Perl syntax; {@code $buffer} is memory of the task
   */
  private record Attempt(String name, int amd64, int arm64, String arguments, int error) {
    String line() {
      return "$! = 0; syscall(%d, %s); print \"%s \", $! + 0, \"\\n\";"
          .formatted(SystemCall.ARM ? arm64 : amd64, arguments, name);
    }
  }

  private static final List<Attempt> ATTEMPTS =
      List.of(
          new Attempt("io_uring_setup", 425, 425, "1, $buffer", EPERM),
          new Attempt("userfaultfd", 323, 282, "1", EPERM),
          new Attempt("keyctl", 250, 219, "0, -3, 0, 0, 0", EPERM),
          new Attempt("add_key", 248, 217, "$user, $name, $buffer, 1, -3", EPERM),
          new Attempt("bpf", 321, 280, "0, $buffer, 64", EPERM),
          new Attempt("perf_event_open", 298, 241, "$buffer, 0, -1, -1, 0", EPERM),
          new Attempt("mount", 165, 40, "$name, $name, $name, 0, 0", EPERM),
          new Attempt("unshare", 272, 97, "" + NEW_USER, EPERM),
          new Attempt("clone", 56, 220, NEW_USER + ", 0, 0, 0, 0", EPERM),
          new Attempt("clone3", 435, 435, "$buffer, 64", ENOSYS),
          new Attempt("socket AF_ALG", 41, 198, "38, 5, 0", EPERM),
          new Attempt("socket AF_ALG high", 41, 198, "4294967334, 5, 0", EPERM),
          new Attempt("personality", 135, 92, "0x40000", EPERM),
          new Attempt("open_by_handle_at", 304, 265, "-1, $buffer, 0", EPERM),
          new Attempt("kcmp", 312, 272, "$$, $$, 0, 0, 0", EPERM),
          new Attempt("newer than the filter", 4000, 4000, "0", ENOSYS));

  @BeforeAll
  static void open() {
    Assumptions.assumeTrue(HostTools.perl().isPresent(), "this host has no perl");
    Assumptions.assumeTrue(
        Files.exists(Path.of("/proc/sys/kernel/seccomp")), "this kernel has no filters");
    realEngine = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  @Test
  void task_rejectedCalls() throws IOException {
    StringBuilder script =
        new StringBuilder("my ($buffer, $user, $name) = (\"\\0\" x 256, 'user', 'name');");
    StringBuilder expected = new StringBuilder();
    for (Attempt attempt : ATTEMPTS) {
      script.append('\n').append(attempt.line());
      expected.append(attempt.name()).append(' ').append(attempt.error()).append('\n');
    }
    Result result = realEngine.run("perl - <<'END'\n" + script + "\nEND\n");

    assertThat(result.stderr()).isEmpty();
    assertThat(result.stdout()).isEqualTo(expected.toString());
  }

  @Test
  void isolation_reportsTheFilter() {
    assertThat(realEngine.engine.nodes().getFirst().isolation().systemCalls())
        .isEqualTo(Level.PRIVATE);
  }

  /** The shell supervisor cannot install a filter. */
  @Test
  void isolation_shellSupervisorReportsNone(@TempDir Path otherData) throws IOException {
    RealEngine.requireRoot();
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, "shell");
    try (RealEngine engine = new RealEngine(otherData)) {
      assertThat(engine.engine.nodes().getFirst().isolation().systemCalls()).isEqualTo(Level.NONE);
      assertThat(engine.run("grep ^Seccomp: /proc/self/status").stdout())
          .isEqualTo("Seccomp:\t0\n");
    } finally {
      System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
    }
  }

  /** sudo and su are setuid programs. */
  @Test
  void task_setuidProgram_gainsRights() throws IOException {
    RealEngine.requireRoot();
    Result result =
        realEngine.run(
            "grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t';"
                + " cp /usr/bin/id /usr/bin/id-of-root && chmod 4755 /usr/bin/id-of-root;"
                + " setpriv --reuid 5 --clear-groups /usr/bin/id-of-root -u");

    assertThat(result.stdout()).isEqualTo("NoNewPrivs:0\nSeccomp:2\n0\n");
  }

  /** Each program is tested only if this host has it. */
  @Test
  void task_ordinaryPrograms_work() throws IOException {
    Result result =
        realEngine.run(
            """
            has() { command -v "$1" >/dev/null; }
            bash -c 'set -e; (exit 3) & wait $! || [ $? = 3 ]; [ "$(echo a | cat)" = a ]' || echo bash
            if has strace; then strace -f -o /tmp/trace true || echo strace; fi
            if has gcc; then
              printf 'int main(void) { return 7; }' >/tmp/seven.c
              gcc -o /tmp/seven /tmp/seven.c || echo gcc
              /tmp/seven; [ $? = 7 ] || echo compiled
            fi
            if [ -x /usr/bin/python3 ]; then
              /usr/bin/python3 -c '
            import socket, subprocess, threading
            t = threading.Thread(target=print); t.start(); t.join()
            subprocess.run(["true"], check=True)
            socket.create_server(("127.0.0.1", 0)).close()' >/dev/null || echo python
            fi
            """);

    assertThat(result.stderr()).isEmpty();
    assertThat(result.stdout()).isEmpty();
  }
}
