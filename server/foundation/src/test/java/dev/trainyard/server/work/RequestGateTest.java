package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestGateTest {
  /** Any other exception would be logged as an internal error. */
  @Test
  void enter_clientDisconnectsWhileQueued_isCanceled() throws Exception {
    RequestGate gate = new RequestGate(1, 10);
    RequestGate.Turn first = gate.enter("alice");
    Requester requester = new Requester(() -> "alice");
    CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> requester.run(() -> enter(gate, failure)));
    while (gate.queued() == 0) {
      Thread.onSpinWait();
    }
    requester.end();
    assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(WorkCanceledException.class);
    assertThat(gate.queued()).isZero();
    first.close();
    gate.enter("alice").close();
  }

  private static void enter(RequestGate gate, CompletableFuture<RuntimeException> failure) {
    try {
      gate.enter("alice").close();
    } catch (RuntimeException e) {
      failure.complete(e);
    }
  }
}
