package dev.trainyard.engine.process;

/** Waiting for the kernel where it tells nobody. */
final class Pause {
  private static final int MILLISECONDS = 5;

  private Pause() {}

  static void briefly() {
    try {
      Thread.sleep(MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
