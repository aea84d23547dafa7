package dev.trainyard.engine.process;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Describes how a supervisor moves a task into its user namespace and root directory with its own
 * system calls. {@code supervise.pl} uses this instead of nsenter and setpriv.
 *
 * @param capabilities numbers of the capabilities that the task keeps in its user namespace
 * @param command command to run in the task's root
 */
record SandboxEntry(Path root, List<Integer> capabilities, List<String> command) {
  String capabilityList() {
    return capabilities.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
