package dev.trainyard.cli.terminal;

import java.io.ByteArrayOutputStream;

/**
 * Sanitizes the output of a task for a terminal. Text, carriage returns, line feeds, tabs and
 * colors pass; every other control character and sequence is dropped, because a task is not
 * trusted: some sequences change the window title, insert input as if typed, or write files. Keeps
 * its state between calls, because a sequence may be split. Not thread-safe.
 */
public final class LogFilter {
  /** State of the parser before the next byte. */
  private enum Place {
    TEXT,
    ESCAPE,
    /** After ESC and an intermediate byte: one more byte ends the sequence. */
    ESCAPE_MORE,
    /** After ESC [, up to a final byte. */
    CONTROL_SEQUENCE,
    /** Operating system commands and similar strings, up to BEL or ESC \. */
    STRING,
    STRING_ESCAPE,
    /**
     * After C2, the first byte of U+0080 to U+00BF; the first half of these are control characters.
     */
    AFTER_C2
  }

  private static final int ESC = 0x1B;
  private static final int LONGEST_COLOUR = 64;

  private final ByteArrayOutputStream sequence = new ByteArrayOutputStream();
  private Place place = Place.TEXT;
  private boolean colour;

  public byte[] pass(byte[] bytes, int length) {
    ByteArrayOutputStream passed = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      next(bytes[i] & 0xFF, passed);
    }
    return passed.toByteArray();
  }

  private void next(int value, ByteArrayOutputStream passed) {
    switch (place) {
      case TEXT -> text(value, passed);
      case ESCAPE -> escape(value);
      case ESCAPE_MORE -> place = value < 0x30 && value != ESC ? Place.ESCAPE_MORE : Place.TEXT;
      case CONTROL_SEQUENCE -> controlSequence(value, passed);
      case STRING -> {
        if (value == 0x07) {
          place = Place.TEXT;
        } else if (value == ESC) {
          place = Place.STRING_ESCAPE;
        }
      }
      case STRING_ESCAPE -> place = value == '\\' ? Place.TEXT : Place.STRING;
      case AFTER_C2 -> {
        place = Place.TEXT;
        if (value >= 0xA0) {
          passed.write(0xC2);
          passed.write(value);
        } else if (value < 0x80) {
          text(value, passed);
        }
      }
    }
  }

  private void text(int value, ByteArrayOutputStream passed) {
    if (value == ESC) {
      place = Place.ESCAPE;
    } else if (value == 0xC2) {
      place = Place.AFTER_C2;
    } else if ((value >= 0x20 && value != 0x7F)
        || value == '\n'
        || value == '\r'
        || value == '\t') {
      passed.write(value);
    }
  }

  private void escape(int value) {
    if (value == '[') {
      place = Place.CONTROL_SEQUENCE;
      sequence.reset();
      colour = true;
    } else if (value == ']' || value == 'P' || value == 'X' || value == '^' || value == '_') {
      place = Place.STRING;
    } else if (value >= 0x20 && value < 0x30) {
      place = Place.ESCAPE_MORE;
    } else if (value != ESC) {
      place = Place.TEXT;
    }
  }

  private void controlSequence(int value, ByteArrayOutputStream passed) {
    if (value == ESC) {
      place = Place.ESCAPE;
    } else if (value == '\n') {
      // The sequence is incomplete; keep the line end, because losing it would join two lines.
      place = Place.TEXT;
      passed.write(value);
    } else if (value >= 0x40 && value <= 0x7E) {
      place = Place.TEXT;
      if (value == 'm' && colour) {
        passed.write(ESC);
        passed.write('[');
        passed.writeBytes(sequence.toByteArray());
        passed.write('m');
      }
    } else {
      colour &= value >= '0' && value <= ';' && sequence.size() < LONGEST_COLOUR;
      if (colour) {
        sequence.write(value);
      }
    }
  }
}
