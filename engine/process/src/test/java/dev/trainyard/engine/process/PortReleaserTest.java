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
  private RealEngine realEngine;
  private int port;

  @BeforeEach
  void open() throws IOException {
    realEngine = new RealEngine(data);
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
  }

  @AfterEach
  void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  private TaskId start(String perlCode) {
    String script =
        """
        exec perl -e '
        use Socket;
        socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
        bind($s, sockaddr_in(%d, inet_aton("127.0.0.1"))) or die "$!";
        %s
        $| = 1; print "bound\\n"; sleep 600;'
        """
            .formatted(port, perlCode);
    TaskId id = realEngine.task(script).start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(id), "stdout").contains("bound"));
    return id;
  }

  /** Includes a socket that is only bound, which is not in the kernel's list of sockets. */
  @ParameterizedTest
  @ValueSource(
      strings = {"listen($s, 5) or die;", "", "listen($s, 5) or die; if (fork) { close($s); }"})
  void releasePort_heldByATask_killsThisTaskOnly(String perlCode) throws IOException {
    TaskId otherTask = realEngine.task("echo up; exec sleep 600").start();
    TaskId holder = start(perlCode);
    assertThat(Ports.isFree(port)).isFalse();
    assertThat(realEngine.engine.releasePort(port)).isTrue();
    assertThat(Ports.isFree(port)).isTrue();
    RealEngine.Result result = realEngine.awaitEnd(holder);
    assertThat(result.end().reason()).isEqualTo(ExitReason.KILLED_BY_SIGNAL);
    assertThat(result.end().detail()).contains("port " + port);
    assertThat(realEngine.observation(otherTask).end()).isEmpty();
    assertThat(realEngine.engine.releasePort(port)).isFalse();
  }

  /**
   * No process has the socket open while its descriptor is in transit, but the kernel reports the
   * user who created the socket.
   */
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
    assertThat(realEngine.engine.releasePort(port)).isTrue();
    assertThat(Ports.isFree(port)).isTrue();
    assertThat(realEngine.observation(holder).end()).isPresent();
  }

  @Test
  void releasePort_heldByAnotherProgram_killsNothing() throws IOException {
    TaskId otherTask = realEngine.task("echo up; exec sleep 600").start();
    try (ServerSocket listener = new ServerSocket(port)) {
      assertThat(realEngine.engine.releasePort(listener.getLocalPort())).isFalse();
    }
    assertThat(realEngine.observation(otherTask).end()).isEmpty();
  }
}
