package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A text with {@code <% name %>} tags, interpreted like in OpenPAI: a Mustache template of which
 * only names are supported. Sections and comments are removed, together with their line if it
 * contains nothing else.
 */
final class Template {
  static final String OPEN = "<%";
  static final String CLOSE = "%>";

  private final String text;
  private final Function<String, Optional<String>> values;
  private final Consumer<String> unknownNames;
  private final int limit;
  private final StringBuilder result = new StringBuilder();
  private final Deque<String> sections = new ArrayDeque<>();

  // State of the current line: a line with only blanks and a removed tag is removed completely.
  private int lineStart;
  private boolean lineHasTag;
  private boolean lineHasText;

  /**
   * @param values returns the value of a name
   * @param unknownNames receives each name without a value; its tag stays in the result
   * @param limit maximum length of the result
   */
  Template(
      String text,
      Function<String, Optional<String>> values,
      Consumer<String> unknownNames,
      int limit) {
    this.text = text;
    this.values = values;
    this.unknownNames = unknownNames;
    this.limit = limit;
  }

  /** The reason why a text is not a valid template. */
  enum Fault {
    TAG_NOT_CLOSED,
    SECTION_NOT_CLOSED,
    SECTION_NOT_OPENED,
    NEW_DELIMITERS,
    TOO_LONG
  }

  /** Thrown for an invalid template. */
  static final class FaultException extends Exception {
    private final Fault fault;

    FaultException(Fault fault) {
      super(fault.name());
      this.fault = fault;
    }

    Fault fault() {
      return fault;
    }
  }

  /** Returns the trimmed text with every known name replaced. */
  String render() throws FaultException {
    int position = 0;
    while (position < text.length()) {
      int open = text.indexOf(OPEN, position);
      appendText(position, open < 0 ? text.length() : open);
      if (open < 0) {
        break;
      }
      int close = text.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        throw new FaultException(Fault.TAG_NOT_CLOSED);
      }
      lineHasTag = true;
      position = close + CLOSE.length();
      String tag = text.substring(open + OPEN.length(), close).strip();
      processTag(tag);
    }
    endLine();
    if (!sections.isEmpty()) {
      throw new FaultException(Fault.SECTION_NOT_CLOSED);
    }
    return result.toString().strip();
  }

  private void appendText(int from, int to) throws FaultException {
    for (int index = from; index < to; index++) {
      char character = text.charAt(index);
      if (!Character.isWhitespace(character)) {
        lineHasText = true;
      }
      if (sections.isEmpty()) {
        requireCapacity(1);
        result.append(character);
      }
      if (character == '\n') {
        endLine();
      }
    }
  }

  private void endLine() {
    if (lineHasTag && !lineHasText) {
      result.setLength(lineStart);
    }
    lineStart = result.length();
    lineHasTag = false;
    lineHasText = false;
  }

  private void processTag(String tag) throws FaultException {
    char kind = tag.isEmpty() ? ' ' : tag.charAt(0);
    switch (kind) {
      case '#', '^' -> sections.push(tag.substring(1).strip());
      case '/' -> {
        if (sections.isEmpty() || !sections.pop().equals(tag.substring(1).strip())) {
          throw new FaultException(Fault.SECTION_NOT_OPENED);
        }
      }
      case '=' -> throw new FaultException(Fault.NEW_DELIMITERS);
      case '!', '>' -> {}
      case '{', '&' -> lineHasText = true;
      default -> {
        lineHasText = true;
        if (sections.isEmpty()) {
          appendValue(tag);
        }
      }
    }
  }

  private void appendValue(String name) throws FaultException {
    Optional<String> value = values.apply(name);
    if (value.isEmpty()) {
      unknownNames.accept(name);
    }
    String replacement = value.orElse(OPEN + " " + name + " " + CLOSE);
    requireCapacity(replacement.length());
    result.append(replacement);
  }

  private void requireCapacity(int length) throws FaultException {
    if (result.length() + length > limit) {
      throw new FaultException(Fault.TOO_LONG);
    }
  }
}
