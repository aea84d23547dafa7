package dev.trainyard.model.diagnosis;

/**
 * A log line that explains an end.
 *
 * @param offset offset of its first byte in the whole log
 * @param number line number, counted from 1; 0 if it is unknown because only the end of the log was
 *     read
 * @param text without control characters, shortened if it is very long
 */
public record LogLine(String stream, long offset, int number, String text) {}
