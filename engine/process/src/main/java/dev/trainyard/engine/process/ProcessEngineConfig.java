package dev.trainyard.engine.process;

import dev.trainyard.engine.Capacity;
import dev.trainyard.engine.linux.Spawn;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Configuration of the process engine.
 *
 * @param dataDirectory data directory of the server; tasks are in {@code tasks}
 * @param capacity resources that the administrator declared for this host, instead of the
 *     discovered ones
 * @param toolPath directories with the vendors' tools, separated as in PATH
 * @param secrets files of the server that tasks must not read, inside or outside the data directory
 * @param administrators users whose tasks may run without a sandbox if none is available
 * @param unsandboxedForAll whether tasks of all users may run without a sandbox
 */
public record ProcessEngineConfig(
    Path dataDirectory,
    Optional<Capacity> capacity,
    String toolPath,
    List<Path> secrets,
    Predicate<String> administrators,
    boolean unsandboxedForAll) {

  public ProcessEngineConfig {
    secrets = List.copyOf(secrets);
  }

  /**
   * Creates a configuration that has no secrets outside the data directory and allows no user to
   * run tasks without a sandbox.
   */
  public ProcessEngineConfig(Path dataDirectory, Optional<Capacity> capacity, String toolPath) {
    this(dataDirectory, capacity, toolPath, List.of(), _ -> false, false);
  }

  /**
   * Creates a configuration that searches for the tools in the PATH of this process and in the
   * default directories of the vendors.
   */
  public static ProcessEngineConfig of(Path dataDirectory, Optional<Capacity> capacity) {
    String path = System.getenv().getOrDefault("PATH", "");
    return new ProcessEngineConfig(
        dataDirectory,
        capacity,
        path + ":" + Spawn.TOOL_PATH + ":/usr/local/Ascend/driver/tools:/opt/rocm/bin");
  }

  public ProcessEngineConfig withSecrets(List<Path> secretFiles) {
    return new ProcessEngineConfig(
        dataDirectory, capacity, toolPath, secretFiles, administrators, unsandboxedForAll);
  }

  public ProcessEngineConfig withTrustedUsers(
      Predicate<String> administrators, boolean unsandboxedForAll) {
    return new ProcessEngineConfig(
        dataDirectory, capacity, toolPath, secrets, administrators, unsandboxedForAll);
  }
}
