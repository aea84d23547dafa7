package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A text with {@code <% name %>} tags, as OpenPAI reads it: Mustache of which only names are
 * supported. Sections and comments are removed, together with their line if it contains nothing
 * else.
 */
final class Template {
  static final String OPEN = "<%";
  static final String CLOSE = "%>";

  private final String text;
  private final Function<String, Optional<String>> values;
  private final Consumer<String> unknown;
  private final int limit;
  private final StringBuilder done = new StringBuilder();
  private final Deque<String> sections = new ArrayDeque<>();

  // State of the current line: a line with only blanks and a removed tag is removed completely.
  private int lineStart;
  private boolean lineHasTag;
  private boolean lineHasWords;

  /**
   * @param values returns the value of a name
   * @param unknown receives each name that has no value and is therefore kept as written
   * @param limit maximum length of the result
   */
  Template(
      String text, Function<String, Optional<String>> values, Consumer<String> unknown, int limit) {
    this.text = text;
    this.values = values;
    this.unknown = unknown;
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

  /** Returns the text with every known name replaced, trimmed. */
  String render() throws FaultException {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf(OPEN, at);
      words(at, open < 0 ? text.length() : open);
      if (open < 0) {
        break;
      }
      int close = text.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        throw new FaultException(Fault.TAG_NOT_CLOSED);
      }
      lineHasTag = true;
      at = close + CLOSE.length();
      String tag = text.substring(open + OPEN.length(), close).strip();
      tag(tag);
    }
    endLine();
    if (!sections.isEmpty()) {
      throw new FaultException(Fault.SECTION_NOT_CLOSED);
    }
    return done.toString().strip();
  }

  private void words(int from, int to) throws FaultException {
    for (int at = from; at < to; at++) {
      char character = text.charAt(at);
      if (!Character.isWhitespace(character)) {
        lineHasWords = true;
      }
      if (sections.isEmpty()) {
        requireCapacity(1);
        done.append(character);
      }
      if (character == '\n') {
        endLine();
      }
    }
  }

  private void endLine() {
    if (lineHasTag && !lineHasWords) {
      done.setLength(lineStart);
    }
    lineStart = done.length();
    lineHasTag = false;
    lineHasWords = false;
  }

  private void tag(String tag) throws FaultException {
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
      case '{', '&' -> lineHasWords = true;
      default -> {
        lineHasWords = true;
        if (sections.isEmpty()) {
          name(tag);
        }
      }
    }
  }

  private void name(String name) throws FaultException {
    Optional<String> value = values.apply(name);
    if (value.isEmpty()) {
      unknown.accept(name);
    }
    String written = value.orElse(OPEN + " " + name + " " + CLOSE);
    requireCapacity(written.length());
    done.append(written);
  }

  private void requireCapacity(int length) throws FaultException {
    if (done.length() + length > limit) {
      throw new FaultException(Fault.TOO_LONG);
    }
  }
}
