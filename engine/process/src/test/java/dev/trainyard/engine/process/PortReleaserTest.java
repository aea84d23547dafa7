package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.Ports;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with real tasks that hold the port of a server. */
class PortReleaserTest {
  @TempDir private Path data;
  private RealEngine tasks;
  private int port;

  @BeforeEach
  void open() throws IOException {
    tasks = new RealEngine(data);
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
  }

  @AfterEach
  void close() {
    tasks.close();
  }

  private TaskId start(String then) {
    String script =
        """
        exec perl -e '
        use Socket;
        socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
        bind($s, sockaddr_in(%d, inet_aton("127.0.0.1"))) or die "$!";
        %s
        $| = 1; print "bound\\n"; sleep 600;'
        """
            .formatted(port, then);
    TaskId id = tasks.task(script).start();
    RealEngine.await(() -> RealEngine.read(tasks.logs(id), "stdout").contains("bound"));
    return id;
  }

  /** A socket that is only bound is not in the kernel's list of sockets. */
  @ParameterizedTest
  @ValueSource(
      strings = {"listen($s, 5) or die;", "", "listen($s, 5) or die; if (fork) { close($s); }"})
  void releasePort_heldByATask_killsThisTaskOnly(String then) throws IOException {
    TaskId other = tasks.task("echo up; exec sleep 600").start();
    TaskId holder = start(then);
    assertThat(Ports.isFree(port)).isFalse();
    assertThat(tasks.engine.releasePort(port)).isTrue();
    assertThat(Ports.isFree(port)).isTrue();
    RealEngine.Result result = tasks.awaitEnd(holder);
    assertThat(result.end().reason()).isEqualTo(ExitReason.KILLED_BY_SIGNAL);
    assertThat(result.end().detail()).contains("port " + port);
    assertThat(tasks.observation(other).end()).isEmpty();
    assertThat(tasks.engine.releasePort(port)).isFalse();
  }

  /** A descriptor in transit belongs to no process, but the kernel knows who created the socket. */
  @Test
  void releasePort_descriptorInTransit_killsTheTask() {
    RealEngine.requireRoot();
    TaskId holder =
        start(
            """
            listen($s, 5) or die;
            socketpair(our $a, our $b, AF_UNIX, SOCK_STREAM, 0) or die;
            my $rights = pack("QiiiI", 20, SOL_SOCKET, 1, fileno($s), 0);
            my $byte = "x"; my $vector = pack("PQ", $byte, 1);
            my $message = pack("QQPQPQiI", 0, 0, $vector, 1, $rights, 24, 0, 0);
            syscall(%d, fileno($a), $message, 0) == 1 or die "sendmsg: $!";
            close($s);
            """
                .formatted(System.getProperty("os.arch").equals("aarch64") ? 211 : 46));
    assertThat(Ports.isFree(port)).isFalse();
    assertThat(tasks.engine.releasePort(port)).isTrue();
    assertThat(Ports.isFree(port)).isTrue();
    assertThat(tasks.observation(holder).end()).isPresent();
  }

  @Test
  void releasePort_heldByAnotherProgram_killsNothing() throws IOException {
    TaskId other = tasks.task("echo up; exec sleep 600").start();
    try (ServerSocket held = new ServerSocket(port)) {
      assertThat(tasks.engine.releasePort(held.getLocalPort())).isFalse();
    }
    assertThat(tasks.observation(other).end()).isEmpty();
  }
}
