package dev.trainyard.engine;

import dev.trainyard.model.Capability;
import java.util.List;

/**
 * Privileges of a task beyond the default.
 *
 * @param capabilities each granted by an administrator; the engine adds exactly these
 * @param root whether the task runs as root in its container, whatever user its image specifies; it
 *     still has no privileges outside the container
 */
public record TaskRights(List<Capability> capabilities, boolean root) {
  public static final TaskRights USUAL = new TaskRights(List.of());

  public TaskRights(List<Capability> capabilities) {
    this(capabilities, false);
  }

  public TaskRights {
    capabilities = capabilities.stream().distinct().sorted().toList();
  }
}
