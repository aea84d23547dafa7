package dev.trainyard.jobfile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A text with {@code <% name %>} in it, as OpenPAI reads it: Mustache of which only names count.
 * Sections and comments vanish, with their line where nothing else stands on it.
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

  // The line that is being read: only blanks and a tag that vanishes, the whole of it vanishes.
  private int lineStart;
  private boolean lineHasTag;
  private boolean lineHasWords;

  /**
   * @param values what a name stands for
   * @param unknown told each name that stands for nothing and therefore stays as it is written
   * @param limit how long the result may get
   */
  Template(
      String text, Function<String, Optional<String>> values, Consumer<String> unknown, int limit) {
    this.text = text;
    this.values = values;
    this.unknown = unknown;
    this.limit = limit;
  }

  /** Why a text is no template. */
  enum Fault {
    TAG_NOT_CLOSED,
    SECTION_NOT_CLOSED,
    SECTION_NOT_OPENED,
    NEW_DELIMITERS,
    TOO_LONG
  }

  /** A text that is none. */
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

  /** The text with every known name replaced, without blanks at its ends. */
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
        room(1);
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
    room(written.length());
    done.append(written);
  }

  private void room(int length) throws FaultException {
    if (done.length() + length > limit) {
      throw new FaultException(Fault.TOO_LONG);
    }
  }
}
