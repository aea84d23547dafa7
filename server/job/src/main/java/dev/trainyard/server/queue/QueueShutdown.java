package dev.trainyard.server.queue;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends the threads of the queue. */
final class QueueShutdown {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private QueueShutdown() {}

  /**
   * Interrupts the queue thread, then waits a few seconds for this thread and for the steps in
   * progress.
   */
  static void stop(Thread queueThread, ExecutorService threads) {
    queueThread.interrupt();
    threads.shutdown();
    try {
      if (queueThread.isAlive()) {
        queueThread.join(TIMEOUT);
      }
      if (!threads.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
