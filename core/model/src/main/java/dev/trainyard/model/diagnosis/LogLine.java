package dev.trainyard.model.diagnosis;

/**
 * A line of a log that speaks of an end.
 *
 * @param offset of its first byte in the whole log
 * @param number from 1; 0 where it is not known, because only the end of the log was read
 * @param text without control characters, shortened where it is very long
 */
public record LogLine(String stream, long offset, int number, String text) {}
