package dev.trainyard.jobfile.dockerfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One instruction of a Dockerfile.
 *
 * @param line first line, counted from 1
 * @param keyword in upper case
 * @param flags values by name, for example {@code 1000} by {@code chown} for {@code --chown=1000};
 *     empty if the flag has no value
 * @param argumentText arguments, with continuation lines joined
 * @param documents here-documents of the instruction
 */
record Instruction(
    int line,
    String keyword,
    Map<String, String> flags,
    String argumentText,
    List<Document> documents) {

  /**
   * A here-document.
   *
   * @param end line that terminates the document
   */
  record Document(String end, String text) {}

  /** Returns the text that is shown while the instruction is executed. */
  String displayText() {
    StringBuilder text = new StringBuilder(keyword);
    flags.forEach(
        (name, value) -> {
          text.append(" --").append(name);
          if (!value.isEmpty()) {
            text.append('=').append(value);
          }
        });
    return text.append(' ').append(argumentText).toString();
  }

  /** Returns the words of the form {@code ["a", "b"]}; empty for other forms. */
  Optional<List<String>> execForm() {
    return argumentText.startsWith("[") ? JsonStringList.read(argumentText) : Optional.empty();
  }
}
