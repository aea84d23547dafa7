package dev.trainyard.engine.process;

import dev.trainyard.engine.Capacity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the process engine is told.
 *
 * @param dataDirectory the server's; tasks live in {@code tasks}, their ends in {@code ends}
 * @param capacity what the administrator says this machine has, instead of what is found
 * @param toolPath directories with the vendors' tools, separated as in PATH
 * @param secrets files of the server's own that tasks must not read, wherever they lie
 */
public record ProcessEngineConfig(
    Path dataDirectory, Optional<Capacity> capacity, String toolPath, List<Path> secrets) {
  public ProcessEngineConfig(Path dataDirectory, Optional<Capacity> capacity, String toolPath) {
    this(dataDirectory, capacity, toolPath, List.of());
  }

  /** The tools are looked for where this process looks, and in the usual places. */
  public static ProcessEngineConfig of(Path dataDirectory, Optional<Capacity> capacity) {
    String path = System.getenv().getOrDefault("PATH", "");
    return new ProcessEngineConfig(
        dataDirectory,
        capacity,
        path + ":" + Scripts.TOOL_PATH + ":/usr/local/Ascend/driver/tools:/opt/rocm/bin");
  }
}
