package dev.trainyard.engine.linux.seccomp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table {@code calls.txt}, and its meaning for a task with certain capabilities. */
final class SystemCallTable {
  private static final String ADMINISTRATOR_CAPABILITY = "SYS_ADMIN";

  /** Columns of the table after the name. */
  private static final List<Abi> COLUMNS =
      List.of(Abi.X86_64, Abi.X32, Abi.X86, Abi.AARCH64, Abi.ARM);

  /** Decision about a listed call. */
  enum Verdict {
    PERMITTED,
    /** The call fails with ENOSYS, as if the kernel did not have it. */
    ABSENT
  }

  /**
   * A call with its verdict.
   *
   * @param numbers system call numbers, without the flag bit of x32
   * @param check condition of a permitted call; if it is not met, the call fails with EPERM
   */
  record Call(
      String name, Map<Abi, Integer> numbers, Verdict verdict, Optional<ArgumentCheck> check) {}

  private SystemCallTable() {}

  /**
   * Returns the calls with a verdict other than EPERM.
   *
   * @param capabilities capabilities of the task, without the prefix {@code CAP_}
   */
  static List<Call> calls(Set<String> capabilities) {
    List<Call> calls = new ArrayList<>();
    String condition = "";
    for (String line : readTable().split("\n", -1)) {
      if (line.startsWith("[")) {
        condition = line.substring(1, line.length() - 1);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        add(line.split(" ", -1), condition, capabilities, calls);
      }
    }
    return List.copyOf(calls);
  }

  private static void add(
      String[] fields, String condition, Set<String> capabilities, List<Call> calls) {
    boolean administrator = capabilities.contains(ADMINISTRATOR_CAPABILITY);
    Optional<ArgumentCheck> check = Optional.empty();
    Verdict verdict = Verdict.PERMITTED;
    switch (condition) {
      case "always" -> {}
      case "clone" -> check = administrator ? check : Optional.of(ArgumentCheck.CLONE);
      // The flags of clone3 are in memory, which a filter cannot read; programs fall back to clone.
      case "clone3" -> verdict = administrator ? verdict : Verdict.ABSENT;
      case "socket" -> check = Optional.of(ArgumentCheck.SOCKET);
      case "personality" -> check = Optional.of(ArgumentCheck.PERSONALITY);
      default -> {
        if (List.of(condition.split(",", -1)).stream().noneMatch(capabilities::contains)) {
          return;
        }
      }
    }
    calls.add(new Call(fields[0], numbers(fields), verdict, check));
  }

  private static Map<Abi, Integer> numbers(String[] fields) {
    Map<Abi, Integer> numbers = new EnumMap<>(Abi.class);
    for (int i = 0; i < COLUMNS.size(); i++) {
      String number = fields[i + 1];
      if (!number.equals("-")) {
        numbers.put(COLUMNS.get(i), Integer.valueOf(number));
      }
    }
    return numbers;
  }

  private static String readTable() {
    try (InputStream in = SystemCallTable.class.getResourceAsStream("calls.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("resource calls.txt is missing or unreadable", e);
    }
  }
}
