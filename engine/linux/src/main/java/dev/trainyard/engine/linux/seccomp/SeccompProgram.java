package dev.trainyard.engine.linux.seccomp;

import dev.trainyard.engine.linux.seccomp.ArgumentCheck.Match;
import dev.trainyard.engine.linux.seccomp.BpfCode.Comparison;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Call;
import dev.trainyard.engine.linux.seccomp.SystemCallTable.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Generates the BPF program that the kernel runs for each system call of a task. It finds the
 * verdict by binary search in ranges of numbers that have the same one, in about seven comparisons.
 * It only compares the number and {@code arch} before it permits most calls, so that the kernel
 * caches these verdicts.
 */
public final class SeccompProgram {
  static final int ALLOW = 0x7FFF0000;
  static final int FAIL = 0x00050000;
  static final int KILL_PROCESS = 0x80000000;
  static final int EPERM = 1;
  static final int ENOSYS = 38;

  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int ARGUMENTS = 16;
  private static final int ARGUMENT_SIZE = 8;

  private static final BpfCode PERMITTED = BpfCode.result(ALLOW);
  private static final BpfCode REFUSED = BpfCode.result(FAIL | EPERM);
  private static final BpfCode ABSENT = BpfCode.result(FAIL | ENOSYS);

  private SeccompProgram() {}

  /**
   * Returns the program as an array of {@code struct sock_filter}.
   *
   * @param capabilities of the task, without the prefix {@code CAP_}
   * @param arm whether to generate for aarch64 instead of x86_64
   */
  public static byte[] of(Set<String> capabilities, boolean arm) {
    List<Call> calls = SystemCallTable.calls(capabilities);
    Map<Integer, NavigableMap<Long, BpfCode>> byArchitecture = new LinkedHashMap<>();
    for (Abi abi : Abi.of(arm)) {
      addRanges(abi, calls, byArchitecture.computeIfAbsent(abi.audit(), _ -> newRanges()));
    }
    BpfCode code = BpfCode.result(KILL_PROCESS);
    for (var architecture : byArchitecture.entrySet()) {
      BpfCode search = BpfCode.load(NUMBER, search(merged(architecture.getValue())));
      code = BpfCode.branch(Comparison.EQUAL, architecture.getKey(), search, code);
    }
    return BpfCode.load(ARCHITECTURE, code).bytes();
  }

  /** Returns the verdicts by the first number of their range; all calls are unknown at first. */
  private static NavigableMap<Long, BpfCode> newRanges() {
    NavigableMap<Long, BpfCode> ranges = new TreeMap<>();
    ranges.put(0L, ABSENT);
    return ranges;
  }

  private static void addRanges(Abi abi, List<Call> calls, NavigableMap<Long, BpfCode> ranges) {
    for (int[] known : abi.known()) {
      set(ranges, abi.raw(known[0]), abi.raw(known[1]), REFUSED);
    }
    for (Call call : calls) {
      Integer number = call.numbers().get(abi);
      if (number != null) {
        set(ranges, abi.raw(number), abi.raw(number), code(call));
      }
    }
  }

  private static void set(NavigableMap<Long, BpfCode> ranges, int first, int last, BpfCode code) {
    long from = Integer.toUnsignedLong(first);
    long after = Integer.toUnsignedLong(last) + 1;
    ranges.putIfAbsent(after, ranges.floorEntry(after).getValue());
    ranges.subMap(from, after).clear();
    ranges.put(from, code);
  }

  private static BpfCode code(Call call) {
    if (call.verdict() == Verdict.ABSENT) {
      return ABSENT;
    }
    return call.check().map(SeccompProgram::code).orElse(PERMITTED);
  }

  private static BpfCode code(ArgumentCheck check) {
    BpfCode code = REFUSED;
    for (Match match : check.anyOf().reversed()) {
      code =
          switch (match.operator()) {
            case EQUAL -> BpfCode.branch(Comparison.EQUAL, match.value(), PERMITTED, code);
            case LESS -> BpfCode.branch(Comparison.AT_LEAST, match.value(), code, PERMITTED);
            case NO_BIT_OF -> BpfCode.branch(Comparison.ANY_BIT_OF, match.value(), code, PERMITTED);
          };
    }
    return BpfCode.load(ARGUMENTS + check.index() * ARGUMENT_SIZE, code);
  }

  /** Joins neighboring ranges that have the same verdict. */
  private static List<Map.Entry<Long, BpfCode>> merged(NavigableMap<Long, BpfCode> ranges) {
    List<Map.Entry<Long, BpfCode>> merged = new ArrayList<>();
    for (var range : ranges.entrySet()) {
      if (merged.isEmpty() || !merged.getLast().getValue().equals(range.getValue())) {
        merged.add(range);
      }
    }
    return merged;
  }

  private static BpfCode search(List<Map.Entry<Long, BpfCode>> ranges) {
    if (ranges.size() == 1) {
      return ranges.getFirst().getValue();
    }
    int middle = ranges.size() / 2;
    return BpfCode.branch(
        Comparison.AT_LEAST,
        ranges.get(middle).getKey().intValue(),
        search(ranges.subList(middle, ranges.size())),
        search(ranges.subList(0, middle)));
  }
}
