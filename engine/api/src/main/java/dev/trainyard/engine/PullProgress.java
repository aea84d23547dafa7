package dev.trainyard.engine;

/**
 * Progress of a pull or push.
 *
 * @param total the number of bytes known so far; it may grow
 */
public record PullProgress(long done, long total) {
  public int percent() {
    return total <= 0 ? 0 : (int) Math.min(100, done * 100 / total);
  }
}
