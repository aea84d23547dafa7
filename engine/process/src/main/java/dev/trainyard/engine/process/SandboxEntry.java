package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a supervisor that makes system calls itself gets a task into its user namespace and root
 * directory: what {@code supervise.pl} needs instead of nsenter and setpriv.
 *
 * @param capabilities by number, what the task keeps of root's power in its own user namespace
 * @param command run in the task's root
 */
record SandboxEntry(Path root, List<Integer> capabilities, List<String> command) {
  String capabilityList() {
    return capabilities.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
