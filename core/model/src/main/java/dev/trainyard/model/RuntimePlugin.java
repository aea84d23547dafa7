package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Something OpenPAI does around a task's command, such as cloning a repository.
 *
 * @param parameters texts, numbers, truths, lists and maps; a secret is not in them but named, as
 *     in {@code <% $secrets.token %>}
 * @param ignoreFailure whether the task goes on also where this fails
 * @param roles the only ones it is for; empty for all
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
