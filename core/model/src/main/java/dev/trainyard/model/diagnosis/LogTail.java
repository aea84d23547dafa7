package dev.trainyard.model.diagnosis;

/**
 * The last bytes of one stream of a task.
 *
 * @param stream its name
 * @param offset of the first of these bytes in the whole log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too large to be copied
public record LogTail(String stream, long offset, byte[] bytes) {
  /** More is never looked at. */
  public static final int MOST = 256 * 1024;
}
