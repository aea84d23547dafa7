package dev.trainyard.jobfile.dockerfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One instruction of a Dockerfile.
 *
 * @param line where it begins, from 1
 * @param keyword in capital letters
 * @param flags such as {@code chown} of {@code --chown=1000}; empty values for those without
 * @param rest what follows, its lines joined
 * @param documents the texts of here-documents that it has, with their last lines
 */
record Instruction(
    int line, String keyword, Map<String, String> flags, String rest, List<Document> documents) {

  /**
   * A here-document.
   *
   * @param end the line that ends it
   */
  record Document(String end, String text) {}

  /** As it is shown while it is done. */
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

  /** The words of the form {@code ["a", "b"]}; empty if it is another. */
  Optional<List<String>> execForm() {
    return rest.startsWith("[") ? JsonTexts.read(rest) : Optional.empty();
  }
}
