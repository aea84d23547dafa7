package dev.trainyard.model;

/**
 * One thing wrong, or worth a warning, in what a person handed in.
 *
 * @param path from the top of the file, as in {@code taskRoles[0].command}; empty for the whole
 * @param line counted from 1; 0 where unknown
 * @param column counted from 1; 0 where unknown
 */
public record Problem(String path, Message message, int line, int column) {
  public static Problem at(String path, Message message) {
    return new Problem(path, message, 0, 0);
  }
}
