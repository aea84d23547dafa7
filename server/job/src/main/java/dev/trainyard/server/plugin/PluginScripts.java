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
 * The files that make the tasks of a role do what its plugins say: {@code runtime.d/around.sh} and
 * a script per plugin and side. Before the command in the order of the job file, after it in the
 * opposite one, as OpenPAI does. Nothing at all for a role without plugins. Pure.
 *
 * @param files below the platform's directory
 * @param secrets by name, scripts that quote a secret: for nobody but the task
 */
public record PluginScripts(Map<String, String> files, Map<String, String> secrets) {
  /** Where the git plugin puts what it clones if nothing else is said. */
  static final String CODE = "/usr/local/pai/code";

  private static final PluginScripts NONE = new PluginScripts(Map.of(), Map.of());

  /** What of the task is there, though {@link #CODE} is read-only: that is a link to this. */
  private static final String ROOM_FOR_CODE = "/run/pai-code";

  private static final String SECRET = "$secrets.";

  public PluginScripts {
    files = Map.copyOf(files);
    secrets = Map.copyOf(secrets);
  }

  /**
   * @param reveal puts a job's secrets in; where only {@link #files} are asked for, which never
   *     have any, it may do nothing
   */
  public static PluginScripts of(JobSpec spec, RoleSpec role, UnaryOperator<String> reveal) {
    List<RuntimePlugin> plugins =
        spec.extras().plugins().stream().filter(plugin -> plugin.isFor(role.name())).toList();
    return plugins.isEmpty() ? NONE : new Making(spec, role, reveal).of(plugins);
  }

  /** The state of one making. */
  private static final class Making {
    private final JobSpec spec;
    private final RoleSpec role;
    private final UnaryOperator<String> reveal;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final List<String> before = new ArrayList<>();
    private final List<String> after = new ArrayList<>();

    Making(JobSpec spec, RoleSpec role, UnaryOperator<String> reveal) {
      this.spec = spec;
      this.role = role;
      this.reveal = reveal;
    }

    PluginScripts of(List<RuntimePlugin> plugins) {
      for (int i = 0; i < plugins.size(); i++) {
        add(i, plugins.get(i));
      }
      if (before.isEmpty() && after.isEmpty()) {
        return NONE;
      }
      String run = after.isEmpty() ? "alone\n" : "main\n";
      files.put(
          "runtime.d/around.sh",
          Scripts.text("around.sh")
              + String.join("", before)
              + run
              + String.join("", after.reversed()));
      return new PluginScripts(files, secrets);
    }

    private void add(int number, RuntimePlugin written) {
      boolean secret = quotesSecret(written.parameters());
      RuntimePlugin plugin = secret ? revealed(written) : written;
      PluginSteps steps = PluginSteps.of(plugin, spec, role);
      add("plugin_pre" + number + ".sh", plugin, steps.before(), secret).ifPresent(before::add);
      add("plugin_post" + number + ".sh", plugin, steps.after(), secret).ifPresent(after::add);
      if (plugin.name().equals("git")
          && PluginSteps.cloneDirectory(plugin.parameters()).isEmpty()) {
        files.put("code/", ROOM_FOR_CODE);
      }
    }

    private Optional<String> add(
        String name, RuntimePlugin plugin, PluginStep step, boolean secret) {
      if (step.isNothing()) {
        return Optional.empty();
      }
      if (secret) {
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
                  secret ? "secrets" : "place",
                  name));
    }

    private RuntimePlugin revealed(RuntimePlugin plugin) {
      Map<String, Object> parameters = new LinkedHashMap<>();
      plugin.parameters().forEach((name, value) -> parameters.put(name, revealed(value)));
      return new RuntimePlugin(plugin.name(), parameters, plugin.ignoreFailure(), plugin.roles());
    }

    private Object revealed(Object value) {
      return switch (value) {
        case String text -> reveal.apply(text);
        case List<?> list -> list.stream().map(item -> item == null ? "" : revealed(item)).toList();
        case Map<?, ?> map -> {
          Map<Object, Object> fields = new LinkedHashMap<>();
          map.forEach((name, item) -> fields.put(name, revealed(item)));
          yield fields;
        }
        case null, default -> value;
      };
    }
  }

  private static boolean quotesSecret(Object value) {
    return switch (value) {
      case String text -> text.contains(SECRET);
      case List<?> list -> list.stream().anyMatch(PluginScripts::quotesSecret);
      case Map<?, ?> map -> map.values().stream().anyMatch(PluginScripts::quotesSecret);
      case null, default -> false;
    };
  }
}
