package dev.trainyard.engine.process;

/** Waits between polls of kernel state that has no notification. */
final class KernelPoll {
  private static final int MILLISECONDS = 5;

  private KernelPoll() {}

  static void briefly() {
    try {
      Thread.sleep(MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
