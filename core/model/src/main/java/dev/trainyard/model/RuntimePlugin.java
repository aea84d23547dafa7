package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An OpenPAI runtime plugin, which runs around a task's command, for example to clone a repository.
 *
 * @param parameters strings, numbers, booleans, lists and maps; instead of secrets they contain
 *     references such as {@code <% $secrets.token %>}
 * @param ignoreFailure whether the task continues if the plugin fails
 * @param roles roles for which the plugin runs; empty for all roles
 */
public record RuntimePlugin(
    String name, Map<String, Object> parameters, boolean ignoreFailure, List<String> roles) {
  public static final Set<String> KNOWN_NAMES =
      Set.of("cmd", "git", "ssh", "tensorboard", "teamwise_storage");

  public RuntimePlugin {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    roles = List.copyOf(roles);
  }

  public boolean isFor(String role) {
    return roles.isEmpty() || roles.contains(role);
  }
}
