package dev.trainyard.model;

/**
 * An error or a warning about submitted content.
 *
 * @param path from the top of the file, for example {@code taskRoles[0].command}; empty for the
 *     whole file
 * @param line counted from 1; 0 if unknown
 * @param column counted from 1; 0 if unknown
 */
public record Problem(String path, Message message, int line, int column) {
  public static Problem at(String path, Message message) {
    return new Problem(path, message, 0, 0);
  }
}
