package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.linux.UserNamespaces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verifies that limits that the kernel counts per user are charged to that user, not to root. */
class UserProcessesTest {
  private static final int MAX_PROCESSES = 30;
  private static final long GET_OWNER = 0xb704;

  /** IDs that no task and no other test uses. */
  private static final IdRange USER_IDS = IdRange.of(IdRange.capacity() - 1);

  @BeforeEach
  void requireRoot() {
    RealEngine.requireRoot();
  }

  @Test
  void namespace_isOwnedByTheUser() throws IOException {
    HostTools tools = HostTools.find();
    try (UserNamespaces namespaces = new UserNamespaces(tools::path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment owner = arena.allocate(ValueLayout.JAVA_INT);
      int namespace = namespaces.of(USER_IDS, MAX_PROCESSES);
      Linux.call("get the owner", SystemCall.IOCTL, namespace, GET_OWNER, owner.address());

      assertThat(owner.get(ValueLayout.JAVA_INT, 0)).isEqualTo(USER_IDS.base());
    }
  }

  /** Uses two namespaces of the same user, which exist after a restart of the server. */
  @Test
  void processes_areLimitedForAllTasksOfAUserTogether() throws Exception {
    HostTools tools = HostTools.find();
    try (UserNamespaces firstNamespaces = new UserNamespaces(tools::path);
        UserNamespaces secondNamespaces = new UserNamespaces(tools::path)) {
      Process firstProcess = start(tools, firstNamespaces.of(USER_IDS, MAX_PROCESSES), 20);
      try {
        assertThat(readLine(firstProcess)).isEqualTo("20");
        Process secondProcess = start(tools, secondNamespaces.of(USER_IDS, MAX_PROCESSES), 20);
        try {
          assertThat(
                  new String(secondProcess.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
              .contains("fork");
        } finally {
          kill(secondProcess);
        }
      } finally {
        kill(firstProcess);
      }
    }
  }

  /** Starts processes in a separate PID namespace, so that they end when its first process ends. */
  private static Process start(HostTools tools, int namespace, int count) throws IOException {
    String script =
        "for i in $(seq %d); do sleep 60 2>/dev/null & done; echo %d; wait".formatted(count, count);
    String userNamespacePath = "/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), namespace);
    return new ProcessBuilder(
            List.of(
                tools.path("unshare"),
                "--pid",
                "--fork",
                "--kill-child",
                tools.path("nsenter"),
                "--user=" + userNamespacePath,
                "--setuid=0",
                "--setgid=0",
                "/bin/sh",
                "-c",
                script))
        .start();
  }

  private static String readLine(Process process) throws IOException {
    return process.inputReader(StandardCharsets.UTF_8).readLine();
  }

  private static void kill(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }
}
