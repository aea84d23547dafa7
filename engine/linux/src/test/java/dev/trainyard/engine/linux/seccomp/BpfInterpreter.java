package dev.trainyard.engine.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Runs a seccomp filter as the kernel does, and rejects programs that the kernel's verifier
 * rejects.
 */
final class BpfInterpreter {
  private static final int MAX_INSTRUCTIONS = 4096;
  private static final int DATA_SIZE = 64;

  private final ByteBuffer program;
  private final int length;
  private int steps;

  BpfInterpreter(byte[] bytes) {
    program = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    length = bytes.length / 8;
    if (bytes.length % 8 != 0 || length == 0 || length > MAX_INSTRUCTIONS) {
      throw new IllegalArgumentException("size " + bytes.length);
    }
  }

  int length() {
    return length;
  }

  /** Returns the number of instructions that the last run executed. */
  int steps() {
    return steps;
  }

  int run(int arch, int number, long... arguments) {
    ByteBuffer data = ByteBuffer.allocate(DATA_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(number).putInt(arch).putLong(0);
    for (long argument : arguments) {
      data.putLong(argument);
    }
    int accumulator = 0;
    int position = 0;
    for (steps = 1; ; steps++) {
      if (position >= length) {
        throw new IllegalStateException("jump behind the end of the program");
      }
      int code = program.getShort(position * 8);
      int whenTrue = program.get(position * 8 + 2) & 0xFF;
      int whenFalse = program.get(position * 8 + 3) & 0xFF;
      int value = program.getInt(position * 8 + 4);
      position++;
      switch (code) {
        case 0x20 -> accumulator = data.getInt(value);
        case 0x06 -> {
          return value;
        }
        case 0x05 -> position += value;
        case 0x15 -> position += accumulator == value ? whenTrue : whenFalse;
        case 0x35 ->
            position += Integer.compareUnsigned(accumulator, value) >= 0 ? whenTrue : whenFalse;
        case 0x45 -> position += (accumulator & value) != 0 ? whenTrue : whenFalse;
        default -> throw new IllegalStateException("instruction " + code);
      }
    }
  }
}
