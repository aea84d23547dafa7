package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DedicatedThreadTest {
  @Test
  void run_returnsTheResult() throws IOException {
    assertThat(DedicatedThread.run(() -> "result")).isEqualTo("result");
  }

  @Test
  void run_noThreads() {
    assertThatThrownBy(() -> DedicatedThread.run(() -> "result", OutOfThreads::new))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unable to create native thread");
  }

  @Test
  void run_operationThrowsError() {
    assertThatThrownBy(
            () ->
                DedicatedThread.run(
                    () -> {
                      throw new StackOverflowError("deep");
                    }))
        .isInstanceOf(StackOverflowError.class);
  }

  /** Throws as the JVM does when the account has reached its thread limit. */
  private static final class OutOfThreads extends Thread {
    OutOfThreads(Runnable operation) {
      super(operation);
    }

    @Override
    public void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }
}
