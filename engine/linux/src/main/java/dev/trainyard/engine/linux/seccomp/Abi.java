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

  /** Highest number that {@code calls.txt} was written for; calls that Linux adds later follow. */
  static final int NEWEST = 466;

  /** Numbers that only x32 has. */
  private static final int X32_FIRST = 512;

  private static final int X32_LAST = 547;

  private final String libseccompName;
  private final int audit;
  private final int flag;

  Abi(String libseccompName, int audit, int flag) {
    this.libseccompName = libseccompName;
    this.audit = audit;
    this.flag = flag;
  }

  /** Returns the ABIs of the programs that a host can run, its native one first. */
  static List<Abi> of(boolean arm) {
    return arm ? List.of(AARCH64, ARM) : List.of(X86_64, X32, X86);
  }

  String libseccompName() {
    return libseccompName;
  }

  /** Returns the value that the kernel passes to a filter as {@code arch}. */
  int audit() {
    return audit;
  }

  /** Returns the number as the kernel passes it to a filter. */
  int raw(int number) {
    return flag | number;
  }

  /**
   * Returns the numbers that the table was written for, as pairs of first and last. Every other
   * call fails with ENOSYS, as on an older kernel, so that programs fall back to another call.
   */
  List<int[]> known() {
    int[] common = {0, NEWEST};
    return this == X32 ? List.of(common, new int[] {X32_FIRST, X32_LAST}) : List.of(common);
  }
}
