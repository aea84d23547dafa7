package dev.trainyard.jobfile.dockerfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One instruction of a Dockerfile.
 *
 * @param line first line, counted from 1
 * @param keyword in upper case
 * @param flags such as {@code chown} of {@code --chown=1000}; the value of a flag without one is
 *     empty
 * @param rest arguments, with continuation lines joined
 * @param documents its here-documents, including their last lines
 */
record Instruction(
    int line, String keyword, Map<String, String> flags, String rest, List<Document> documents) {

  /**
   * A here-document.
   *
   * @param end line that terminates it
   */
  record Document(String end, String text) {}

  /** Returns the text shown while it is executed. */
  String shown() {
    StringBuilder text = new StringBuilder(keyword);
    flags.forEach(
        (name, value) -> {
          text.append(" --").append(name);
          if (!value.isEmpty()) {
            text.append('=').append(value);
          }
        });
    return text.append(' ').append(rest).toString();
  }

  /** Returns the words of the form {@code ["a", "b"]}; empty for other forms. */
  Optional<List<String>> execForm() {
    return rest.startsWith("[") ? JsonTexts.read(rest) : Optional.empty();
  }
}
