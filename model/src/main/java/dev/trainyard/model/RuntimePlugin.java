package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Something OpenPAI does around a task's command, such as cloning a repository.
 *
 * @param parameters as written, templates not resolved: they may quote what differs from role to
 *     role
 * @param ignoreFailure whether the task starts also where this fails
 * @param roles the only ones it is for; empty for all
 */
public record RuntimePlugin(
    String name, Map<String, Object> parameters, boolean ignoreFailure, List<String> roles) {
  public RuntimePlugin {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    roles = List.copyOf(roles);
  }
}
