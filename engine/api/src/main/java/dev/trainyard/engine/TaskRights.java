package dev.trainyard.engine;

import dev.trainyard.model.Capability;
import java.util.List;

/**
 * Privileges of a task beyond the default.
 *
 * @param capabilities additional capabilities, all granted by an administrator
 * @param root whether the task runs as root in its container, regardless of the user in its image;
 *     the task still has no privileges outside the container
 */
public record TaskRights(List<Capability> capabilities, boolean root) {
  public static final TaskRights DEFAULT = new TaskRights(List.of());

  public TaskRights(List<Capability> capabilities) {
    this(capabilities, false);
  }

  public TaskRights {
    capabilities = capabilities.stream().distinct().sorted().toList();
  }
}
