package dev.trainyard.engine.process;

/** Waits between two polls of kernel state for which the kernel sends no notification. */
final class KernelPollDelay {
  private static final int INTERVAL_MILLISECONDS = 5;

  private KernelPollDelay() {}

  static void pause() {
    try {
      Thread.sleep(INTERVAL_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
