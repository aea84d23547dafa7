package dev.trainyard.engine;

import dev.trainyard.model.Capability;
import java.util.List;

/**
 * What a task may do beyond the usual.
 *
 * @param capabilities each granted by an administrator; an engine gives these and no others
 */
public record TaskRights(List<Capability> capabilities) {
  public static final TaskRights USUAL = new TaskRights(List.of());

  public TaskRights {
    capabilities = capabilities.stream().distinct().sorted().toList();
  }
}
