package dev.trainyard.engine.linux.seccomp;

import java.util.List;

/**
 * Condition on one argument of a system call. The call is permitted if at least one match applies.
 * Every argument checked here is a 32-bit value for the kernel, which ignores the upper half.
 *
 * @param index index of the argument, starting at 0
 */
record ArgumentCheck(int index, List<Match> anyOf) {
  /** Flags of {@code clone} that create a namespace. */
  private static final int NEW_NAMESPACES = 0x7E020000;

  private static final int AF_ALG = 38;
  private static final int AF_QIPCRTR = 42;
  private static final int AF_MCTP = 45;

  static final ArgumentCheck CLONE =
      new ArgumentCheck(0, List.of(new Match(Operator.NO_BIT_OF, NEW_NAMESPACES)));

  /**
   * Excludes AF_ALG (38), which exposes a large part of the kernel, AF_VSOCK (40), which leads out
   * of the host, and the families above AF_MCTP (45).
   */
  static final ArgumentCheck SOCKET =
      new ArgumentCheck(
          0,
          List.of(
              new Match(Operator.LESS, AF_ALG),
              new Match(Operator.EQUAL, AF_ALG + 1),
              new Match(Operator.EQUAL, AF_QIPCRTR - 1),
              new Match(Operator.EQUAL, AF_QIPCRTR),
              new Match(Operator.EQUAL, AF_QIPCRTR + 1),
              new Match(Operator.EQUAL, AF_MCTP - 1),
              new Match(Operator.EQUAL, AF_MCTP)));

  /**
   * Permits PER_LINUX and PER_LINUX32, each also with UNAME26, and the query of the current
   * personality (0xFFFFFFFF).
   */
  static final ArgumentCheck PERSONALITY =
      new ArgumentCheck(
          0,
          List.of(
              new Match(Operator.EQUAL, 0),
              new Match(Operator.EQUAL, 0x8),
              new Match(Operator.EQUAL, 0x20000),
              new Match(Operator.EQUAL, 0x20008),
              new Match(Operator.EQUAL, 0xFFFFFFFF)));

  /** Comparison of an argument with a value, both unsigned. */
  enum Operator {
    LESS,
    EQUAL,
    NO_BIT_OF
  }

  /**
   * @param value unsigned value to compare with
   */
  record Match(Operator operator, int value) {}
}
