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
 * verdict by a binary search in ranges of numbers that have the same verdict, in about seven
 * comparisons. For most permitted calls it compares only the number and {@code arch}, so that the
 * kernel caches these verdicts.
 */
public final class SeccompProgram {
  static final int ALLOW = 0x7FFF0000;
  static final int FAIL_WITH_ERRNO = 0x00050000;
  static final int KILL_PROCESS = 0x80000000;
  static final int EPERM = 1;
  static final int ENOSYS = 38;

  private static final int NUMBER_OFFSET = 0;
  private static final int ARCHITECTURE_OFFSET = 4;
  private static final int ARGUMENTS_OFFSET = 16;
  private static final int ARGUMENT_BYTES = 8;

  private static final BpfCode PERMITTED = BpfCode.returnValue(ALLOW);
  private static final BpfCode REFUSED = BpfCode.returnValue(FAIL_WITH_ERRNO | EPERM);
  private static final BpfCode ABSENT = BpfCode.returnValue(FAIL_WITH_ERRNO | ENOSYS);

  private SeccompProgram() {}

  /**
   * Returns the program as an array of {@code struct sock_filter}.
   *
   * @param capabilities capabilities of the task, without the prefix {@code CAP_}
   * @param arm whether to generate for aarch64 instead of x86_64
   */
  public static byte[] of(Set<String> capabilities, boolean arm) {
    List<Call> calls = SystemCallTable.calls(capabilities);
    Map<Integer, NavigableMap<Long, BpfCode>> byArchitecture = new LinkedHashMap<>();
    for (Abi abi : Abi.of(arm)) {
      addRanges(abi, calls, byArchitecture.computeIfAbsent(abi.auditValue(), _ -> newRanges()));
    }
    BpfCode code = BpfCode.returnValue(KILL_PROCESS);
    for (var architecture : byArchitecture.entrySet()) {
      BpfCode search = BpfCode.load(NUMBER_OFFSET, search(merge(architecture.getValue())));
      code = BpfCode.branch(Comparison.EQUAL, architecture.getKey(), search, code);
    }
    return BpfCode.load(ARCHITECTURE_OFFSET, code).bytes();
  }

  /**
   * Returns verdicts by the first number of their range. At first, all calls are in one range of
   * unknown calls.
   */
  private static NavigableMap<Long, BpfCode> newRanges() {
    NavigableMap<Long, BpfCode> ranges = new TreeMap<>();
    ranges.put(0L, ABSENT);
    return ranges;
  }

  private static void addRanges(Abi abi, List<Call> calls, NavigableMap<Long, BpfCode> ranges) {
    for (int[] knownRange : abi.knownRanges()) {
      setRange(ranges, abi.rawNumber(knownRange[0]), abi.rawNumber(knownRange[1]), REFUSED);
    }
    for (Call call : calls) {
      Integer number = call.numbers().get(abi);
      if (number != null) {
        setRange(ranges, abi.rawNumber(number), abi.rawNumber(number), codeFor(call));
      }
    }
  }

  private static void setRange(
      NavigableMap<Long, BpfCode> ranges, int firstNumber, int lastNumber, BpfCode code) {
    long start = Integer.toUnsignedLong(firstNumber);
    long end = Integer.toUnsignedLong(lastNumber) + 1;
    ranges.putIfAbsent(end, ranges.floorEntry(end).getValue());
    ranges.subMap(start, end).clear();
    ranges.put(start, code);
  }

  private static BpfCode codeFor(Call call) {
    if (call.verdict() == Verdict.ABSENT) {
      return ABSENT;
    }
    return call.check().map(SeccompProgram::codeFor).orElse(PERMITTED);
  }

  private static BpfCode codeFor(ArgumentCheck check) {
    BpfCode code = REFUSED;
    for (Match match : check.anyOf().reversed()) {
      code =
          switch (match.operator()) {
            case EQUAL -> BpfCode.branch(Comparison.EQUAL, match.value(), PERMITTED, code);
            case LESS -> BpfCode.branch(Comparison.AT_LEAST, match.value(), code, PERMITTED);
            case NO_BIT_OF -> BpfCode.branch(Comparison.ANY_BIT_OF, match.value(), code, PERMITTED);
          };
    }
    return BpfCode.load(ARGUMENTS_OFFSET + check.index() * ARGUMENT_BYTES, code);
  }

  /** Joins neighboring ranges that have the same verdict. */
  private static List<Map.Entry<Long, BpfCode>> merge(NavigableMap<Long, BpfCode> ranges) {
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
