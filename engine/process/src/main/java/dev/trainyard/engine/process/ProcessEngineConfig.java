package dev.trainyard.engine.process;

import dev.trainyard.engine.Capacity;
import dev.trainyard.engine.linux.Spawn;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the process engine is told.
 *
 * @param dataDirectory the server's; tasks live in {@code tasks}
 * @param capacity what the administrator says this machine has, instead of what is found
 * @param toolPath directories with the vendors' tools, separated as in PATH
 * @param secrets files of the server's own that tasks must not read, wherever they lie
 * @param administrators whose tasks may run without a sandbox where there is none
 * @param plainForAll whether everybody's may
 */
public record ProcessEngineConfig(
    Path dataDirectory,
    Optional<Capacity> capacity,
    String toolPath,
    List<Path> secrets,
    Predicate<String> administrators,
    boolean plainForAll) {

  public ProcessEngineConfig {
    secrets = List.copyOf(secrets);
  }

  /** One that has no secrets elsewhere and trusts nobody. */
  public ProcessEngineConfig(Path dataDirectory, Optional<Capacity> capacity, String toolPath) {
    this(dataDirectory, capacity, toolPath, List.of(), _ -> false, false);
  }

  /** The tools are looked for where this process looks, and in the usual places. */
  public static ProcessEngineConfig of(Path dataDirectory, Optional<Capacity> capacity) {
    String path = System.getenv().getOrDefault("PATH", "");
    return new ProcessEngineConfig(
        dataDirectory,
        capacity,
        path + ":" + Spawn.TOOL_PATH + ":/usr/local/Ascend/driver/tools:/opt/rocm/bin");
  }

  public ProcessEngineConfig withSecrets(List<Path> files) {
    return new ProcessEngineConfig(
        dataDirectory, capacity, toolPath, files, administrators, plainForAll);
  }

  public ProcessEngineConfig withTrusted(Predicate<String> users, boolean all) {
    return new ProcessEngineConfig(dataDirectory, capacity, toolPath, secrets, users, all);
  }
}
