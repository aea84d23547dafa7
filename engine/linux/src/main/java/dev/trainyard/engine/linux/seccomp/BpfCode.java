package dev.trainyard.engine.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A part of a classic BPF program that returns on each of its paths. Immutable. */
record BpfCode(List<Instruction> instructions) {
  private static final int LOAD_WORD = 0x20;
  private static final int RETURN = 0x06;
  private static final int JUMP = 0x05;

  /** Maximum offset of a conditional jump, which is one byte. */
  private static final int MAX_JUMP = 255;

  private static final int INSTRUCTION_BYTES = 8;

  /** Comparison of the loaded word with a constant, unsigned. */
  enum Comparison {
    EQUAL(0x15),
    AT_LEAST(0x35),
    ANY_BIT_OF(0x45);

    private final int code;

    Comparison(int code) {
      this.code = code;
    }
  }

  /** An instruction as the kernel's {@code struct sock_filter}. */
  record Instruction(int code, int whenTrue, int whenFalse, int value) {}

  static BpfCode returnValue(int value) {
    return new BpfCode(List.of(new Instruction(RETURN, 0, 0, value)));
  }

  /**
   * @param offset offset of the word in {@code struct seccomp_data}
   */
  static BpfCode load(int offset, BpfCode remainder) {
    return concatenate(
        List.of(new Instruction(LOAD_WORD, 0, 0, offset)), remainder.instructions, List.of());
  }

  static BpfCode branch(Comparison comparison, int value, BpfCode whenTrue, BpfCode whenFalse) {
    int skippedCount = whenTrue.instructions.size();
    List<Instruction> jump =
        skippedCount <= MAX_JUMP
            ? List.of(new Instruction(comparison.code, 0, skippedCount, value))
            : List.of(
                new Instruction(comparison.code, 1, 0, value),
                new Instruction(JUMP, 0, 0, skippedCount));
    return concatenate(jump, whenTrue.instructions, whenFalse.instructions);
  }

  private static BpfCode concatenate(
      List<Instruction> firstPart, List<Instruction> secondPart, List<Instruction> thirdPart) {
    List<Instruction> instructionList = new ArrayList<>(firstPart);
    instructionList.addAll(secondPart);
    instructionList.addAll(thirdPart);
    return new BpfCode(List.copyOf(instructionList));
  }

  /** Returns the program as an array of {@code struct sock_filter}. */
  byte[] bytes() {
    // Both architectures are little-endian.
    ByteBuffer buffer =
        ByteBuffer.allocate(instructions.size() * INSTRUCTION_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (Instruction instruction : instructions) {
      buffer
          .putShort((short) instruction.code)
          .put((byte) instruction.whenTrue)
          .put((byte) instruction.whenFalse)
          .putInt(instruction.value);
    }
    return buffer.array();
  }
}
