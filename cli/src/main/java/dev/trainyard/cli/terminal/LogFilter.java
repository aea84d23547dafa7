package dev.trainyard.cli.terminal;

import java.io.ByteArrayOutputStream;

/**
 * Sanitizes the output of a task for a terminal. Text, carriage returns, line feeds, tabs and
 * colors pass; every other control character and sequence is dropped, because a task is not
 * trusted: some sequences change the window title, insert input as if typed, or write files. Keeps
 * its state between calls because a sequence may be split between two calls. Not thread-safe.
 */
public final class LogFilter {
  /** State of the parser before the next byte. */
  private enum State {
    TEXT,
    ESCAPE,
    /**
     * After ESC and an intermediate byte; the next byte that is not an intermediate byte ends the
     * sequence.
     */
    ESCAPE_INTERMEDIATE,
    /** After ESC [, up to a final byte. */
    CONTROL_SEQUENCE,
    /** Operating system commands and similar strings, up to BEL or ESC \. */
    STRING,
    STRING_ESCAPE,
    /**
     * After the byte C2, with which U+0080 to U+00BF begin; U+0080 to U+009F are control
     * characters.
     */
    AFTER_C2
  }

  private static final int ESC = 0x1B;
  private static final int MAX_COLOR_LENGTH = 64;

  private final ByteArrayOutputStream sequence = new ByteArrayOutputStream();
  private State state = State.TEXT;
  private boolean isColor;

  public byte[] filter(byte[] bytes, int length) {
    ByteArrayOutputStream output = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      process(bytes[i] & 0xFF, output);
    }
    return output.toByteArray();
  }

  private void process(int value, ByteArrayOutputStream output) {
    switch (state) {
      case TEXT -> processText(value, output);
      case ESCAPE -> processEscape(value);
      case ESCAPE_INTERMEDIATE ->
          state = value < 0x30 && value != ESC ? State.ESCAPE_INTERMEDIATE : State.TEXT;
      case CONTROL_SEQUENCE -> processControlSequence(value, output);
      case STRING -> {
        if (value == 0x07) {
          state = State.TEXT;
        } else if (value == ESC) {
          state = State.STRING_ESCAPE;
        }
      }
      case STRING_ESCAPE -> state = value == '\\' ? State.TEXT : State.STRING;
      case AFTER_C2 -> {
        state = State.TEXT;
        if (value >= 0xA0) {
          output.write(0xC2);
          output.write(value);
        } else if (value < 0x80) {
          processText(value, output);
        }
      }
    }
  }

  private void processText(int value, ByteArrayOutputStream output) {
    if (value == ESC) {
      state = State.ESCAPE;
    } else if (value == 0xC2) {
      state = State.AFTER_C2;
    } else if ((value >= 0x20 && value != 0x7F)
        || value == '\n'
        || value == '\r'
        || value == '\t') {
      output.write(value);
    }
  }

  private void processEscape(int value) {
    if (value == '[') {
      state = State.CONTROL_SEQUENCE;
      sequence.reset();
      isColor = true;
    } else if (value == ']' || value == 'P' || value == 'X' || value == '^' || value == '_') {
      state = State.STRING;
    } else if (value >= 0x20 && value < 0x30) {
      state = State.ESCAPE_INTERMEDIATE;
    } else if (value != ESC) {
      state = State.TEXT;
    }
  }

  private void processControlSequence(int value, ByteArrayOutputStream output) {
    if (value == ESC) {
      state = State.ESCAPE;
    } else if (value == '\n') {
      // The sequence is incomplete; keep the line end, because losing it would join two lines.
      state = State.TEXT;
      output.write(value);
    } else if (value >= 0x40 && value <= 0x7E) {
      state = State.TEXT;
      if (value == 'm' && isColor) {
        output.write(ESC);
        output.write('[');
        output.writeBytes(sequence.toByteArray());
        output.write('m');
      }
    } else {
      isColor &= value >= '0' && value <= ';' && sequence.size() < MAX_COLOR_LENGTH;
      if (isColor) {
        sequence.write(value);
      }
    }
  }
}
