package dev.trainyard.engine;

import dev.trainyard.model.Capability;
import java.util.List;

/**
 * What a task may do beyond the usual.
 *
 * @param capabilities each granted by an administrator; an engine gives these and no others
 * @param root whether it runs as root of its container, whatever user its image has: still without
 *     any power outside
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
