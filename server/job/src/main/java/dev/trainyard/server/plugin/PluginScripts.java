package dev.trainyard.server.plugin;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.RuntimePlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The files that run the plugins of a role in the role's tasks: {@code runtime.d/around.sh}, and
 * one script per plugin and phase. Before the command, plugins run in the order of the job file;
 * after the command, they run in reverse order, as in OpenPAI. A role without plugins has no such
 * files. Has no side effects.
 *
 * @param files contents of the files, by path below the platform's directory; a path that ends with
 *     a slash is a symbolic link, and its value is the target
 * @param secrets scripts that contain a secret, by name; only the task may receive these scripts
 */
public record PluginScripts(Map<String, String> files, Map<String, String> secrets) {
  /** Default target directory of the git plugin. */
  static final String DEFAULT_CODE_DIRECTORY = "/usr/local/pai/code";

  private static final PluginScripts NONE = new PluginScripts(Map.of(), Map.of());

  /**
   * Writable directory in the task. {@link #DEFAULT_CODE_DIRECTORY} is a symbolic link to this
   * directory, because the platform's directory is read-only.
   */
  private static final String WRITABLE_CODE_DIRECTORY = "/run/pai-code";

  private static final String SECRET_PREFIX = "$secrets.";

  public PluginScripts {
    files = Map.copyOf(files);
    secrets = Map.copyOf(secrets);
  }

  /**
   * @param secretResolver replaces references to secrets with their values; may be the identity if
   *     only {@link #files} are used, which never contain secrets
   */
  public static PluginScripts of(
      JobSpec spec, RoleSpec role, UnaryOperator<String> secretResolver) {
    List<RuntimePlugin> plugins =
        spec.extras().plugins().stream().filter(plugin -> plugin.appliesTo(role.name())).toList();
    return plugins.isEmpty() ? NONE : new Builder(spec, role, secretResolver).build(plugins);
  }

  /** Builds the scripts of one role. */
  private static final class Builder {
    private final JobSpec spec;
    private final RoleSpec role;
    private final UnaryOperator<String> secretResolver;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final List<String> commandsBefore = new ArrayList<>();
    private final List<String> commandsAfter = new ArrayList<>();

    Builder(JobSpec spec, RoleSpec role, UnaryOperator<String> secretResolver) {
      this.spec = spec;
      this.role = role;
      this.secretResolver = secretResolver;
    }

    PluginScripts build(List<RuntimePlugin> plugins) {
      for (int i = 0; i < plugins.size(); i++) {
        add(i, plugins.get(i));
      }
      if (commandsBefore.isEmpty() && commandsAfter.isEmpty()) {
        return NONE;
      }
      String runCommand = commandsAfter.isEmpty() ? "alone\n" : "main\n";
      files.put(
          "runtime.d/around.sh",
          Scripts.load("around.sh")
              + String.join("", commandsBefore)
              + runCommand
              + String.join("", commandsAfter.reversed()));
      return new PluginScripts(files, secrets);
    }

    private void add(int number, RuntimePlugin declaredPlugin) {
      boolean hasSecret = containsSecret(declaredPlugin.parameters());
      RuntimePlugin plugin = hasSecret ? resolveSecrets(declaredPlugin) : declaredPlugin;
      PluginSteps steps = PluginSteps.of(plugin, spec, role);
      add("plugin_pre" + number + ".sh", plugin, steps.before(), hasSecret)
          .ifPresent(commandsBefore::add);
      add("plugin_post" + number + ".sh", plugin, steps.after(), hasSecret)
          .ifPresent(commandsAfter::add);
      if (plugin.name().equals("git")
          && PluginSteps.cloneDirectory(plugin.parameters()).isEmpty()) {
        files.put("code/", WRITABLE_CODE_DIRECTORY);
      }
    }

    private Optional<String> add(
        String name, RuntimePlugin plugin, PluginStep step, boolean hasSecret) {
      if (step.isEmpty()) {
        return Optional.empty();
      }
      if (hasSecret) {
        secrets.put(name, step.text());
      } else {
        files.put("runtime.d/" + name, step.text());
      }
      return Optional.of(
          "plugin %s %s %d \"$%s/%s\"\n"
              .formatted(
                  plugin.name(),
                  plugin.ignoreFailure() ? "ignore" : "fail",
                  step.code(),
                  hasSecret ? "secrets" : "place",
                  name));
    }

    private RuntimePlugin resolveSecrets(RuntimePlugin plugin) {
      Map<String, Object> parameters = new LinkedHashMap<>();
      plugin.parameters().forEach((name, value) -> parameters.put(name, resolveSecrets(value)));
      return new RuntimePlugin(plugin.name(), parameters, plugin.ignoreFailure(), plugin.roles());
    }

    private Object resolveSecrets(Object value) {
      return switch (value) {
        case String text -> secretResolver.apply(text);
        case List<?> list ->
            list.stream().map(item -> item == null ? "" : resolveSecrets(item)).toList();
        case Map<?, ?> map -> {
          Map<Object, Object> fields = new LinkedHashMap<>();
          map.forEach((name, item) -> fields.put(name, resolveSecrets(item)));
          yield fields;
        }
        case null, default -> value;
      };
    }
  }

  private static boolean containsSecret(Object value) {
    return switch (value) {
      case String text -> text.contains(SECRET_PREFIX);
      case List<?> list -> list.stream().anyMatch(PluginScripts::containsSecret);
      case Map<?, ?> map -> map.values().stream().anyMatch(PluginScripts::containsSecret);
      case null, default -> false;
    };
  }
}
