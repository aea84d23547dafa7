package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An OpenPAI runtime plugin, which runs around a task's command, for example to clone a repository.
 *
 * @param parameters texts, numbers, booleans, lists and maps; secrets are not included but
 *     referenced, as in {@code <% $secrets.token %>}
 * @param ignoreFailure whether the task continues if the plugin fails
 * @param roles the only roles for which it runs; empty for all
 */
public record RuntimePlugin(
    String name, Map<String, Object> parameters, boolean ignoreFailure, List<String> roles) {
  public static final Set<String> KNOWN =
      Set.of("cmd", "git", "ssh", "tensorboard", "teamwise_storage");

  public RuntimePlugin {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    roles = List.copyOf(roles);
  }

  public boolean isFor(String role) {
    return roles.isEmpty() || roles.contains(role);
  }
}
