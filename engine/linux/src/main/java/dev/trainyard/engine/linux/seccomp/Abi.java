package dev.trainyard.engine.linux.seccomp;

import java.util.List;

/** A calling convention of the kernel, with its own numbers of system calls. */
enum Abi {
  X86_64("SCMP_ARCH_X86_64", 0xC000003E, 0),
  /** Shares the audit value of x86_64; its numbers have a flag bit. */
  X32("SCMP_ARCH_X32", 0xC000003E, 0x40000000),
  X86("SCMP_ARCH_X86", 0x40000003, 0),
  AARCH64("SCMP_ARCH_AARCH64", 0xC00000B7, 0),
  ARM("SCMP_ARCH_ARM", 0x40000028, 0);

  /**
   * Highest number that {@code calls.txt} was written for; calls that Linux adds later have higher
   * numbers.
   */
  static final int MAX_KNOWN_NUMBER = 466;

  /** Numbers that only x32 has. */
  private static final int X32_FIRST = 512;

  private static final int X32_LAST = 547;

  private final String libseccompName;
  private final int auditValue;
  private final int flagBit;

  Abi(String libseccompName, int auditValue, int flagBit) {
    this.libseccompName = libseccompName;
    this.auditValue = auditValue;
    this.flagBit = flagBit;
  }

  /** Returns the ABIs of the programs that a host can run; the native ABI is the first. */
  static List<Abi> of(boolean arm) {
    return arm ? List.of(AARCH64, ARM) : List.of(X86_64, X32, X86);
  }

  String libseccompName() {
    return libseccompName;
  }

  /** Returns the value that the kernel passes to a filter as {@code arch}. */
  int auditValue() {
    return auditValue;
  }

  /** Returns the number as the kernel passes it to a filter. */
  int rawNumber(int number) {
    return flagBit | number;
  }

  /**
   * Returns the numbers that the table was written for, as pairs of the first and the last number.
   * Every other call fails with ENOSYS, as on an older kernel, so that programs fall back to
   * another call.
   */
  List<int[]> knownRanges() {
    int[] common = {0, MAX_KNOWN_NUMBER};
    return this == X32 ? List.of(common, new int[] {X32_FIRST, X32_LAST}) : List.of(common);
  }
}
