package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a supervisor that makes system calls itself gets a task into its user namespace and root
 * directory: what {@code supervise.pl} needs instead of nsenter and setpriv.
 *
 * @param capabilities by number, what the task keeps of root's power in its own user namespace
 * @param command run in the task's root
 */
record Descent(Path root, List<Integer> capabilities, List<String> command) {
  /** The numbers differ between architectures. */
  static String calls() {
    return Stream.of(
            SystemCall.SETNS,
            SystemCall.PRCTL,
            SystemCall.SETGROUPS,
            SystemCall.SETRESGID,
            SystemCall.SETRESUID,
            SystemCall.DUP3,
            SystemCall.STATFS,
            SystemCall.PRLIMIT64)
        .map(call -> Integer.toString(call.number()))
        .collect(Collectors.joining(","));
  }

  String capabilityList() {
    return capabilities.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
