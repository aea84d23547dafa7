package dev.trainyard.engine.process;

/** Waiting for the kernel where it tells nobody. */
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
