package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a Docker engine that is temporarily unavailable. */
class EngineUnavailableTest {
  @TempDir Path data;
  @TempDir Path socketDirectory;
  private DisconnectableSocket socket;
  private DockerConnection connection;
  private RealEngine engine;

  @BeforeEach
  void open() {
    Path engineSocket = TestImages.connection().socket();
    socket = new DisconnectableSocket(socketDirectory.resolve("docker.sock"), engineSocket);
    connection = DockerConnection.open(socketDirectory.resolve("docker.sock"));
    engine = new RealEngine(data, connection);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
      connection.close();
      socket.close();
    }
  }

  private Draft startDraft() {
    Draft draft =
        engine.task("trap 'echo asked; exit 5' TERM; echo ready; while :; do sleep 0.1; done");
    draft.start();
    TestHost.await(() -> engine.log(draft.id, "stdout").contains("ready"));
    engine.reopen(); // adopts the task as running, so that no start is pending
    return draft;
  }

  @Test
  void stop_engineUnavailable_happensAfterwards() {
    Draft draft = startDraft();
    socket.disconnect();
    engine.engine.stop(draft.id, Duration.ofSeconds(30));
    socket.reconnect();
    TaskEnd end = engine.awaitEnd(draft.id);
    assertThat(end.reason()).isEqualTo(ExitReason.STOPPED);
    assertThat(end.exitCode()).isEqualTo(5);
    assertThat(engine.log(draft.id, "stdout")).isEqualTo("ready\nasked\n");
  }

  @Test
  void stop_engineUnavailable_nextServerContinues() {
    Draft draft = startDraft();
    socket.disconnect();
    engine.engine.stop(draft.id, Duration.ofSeconds(30));
    engine.engine.close();
    socket.reconnect();
    engine.reopen();
    assertThat(engine.awaitEnd(draft.id).reason()).isEqualTo(ExitReason.STOPPED);
  }

  @Test
  void end_engineUnavailable_isReportedAfterwards() {
    Draft draft = startDraft();
    socket.disconnect();
    TestImages.connection()
        .client()
        .killContainerCmd(engine.name(draft.id))
        .withSignal("SIGKILL")
        .exec();
    assertThatThrownBy(engine.engine::list).isInstanceOf(EngineException.class);
    socket.reconnect();
    assertThat(engine.awaitEnd(draft.id).reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);
  }
}
