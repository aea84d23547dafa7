package dev.trainyard.model.diagnosis;

/**
 * The last bytes of one stream of a task.
 *
 * @param stream name of the stream
 * @param offset offset of the first of these bytes in the whole log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too large to copy
public record LogTail(String stream, long offset, byte[] bytes) {
  /** Maximum number of bytes that are examined. */
  public static final int MAX_BYTES = 256 * 1024;
}
