package dev.trainyard.engine;

/**
 * How far a transfer is.
 *
 * @param total as far as it is known yet: it may grow
 */
public record PullProgress(long done, long total) {
  public int percent() {
    return total <= 0 ? 0 : (int) Math.min(100, done * 100 / total);
  }
}
