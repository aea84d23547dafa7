package dev.trainyard.server.plugin;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.RuntimePlugin;
import java.util.List;
import java.util.Map;

/**
 * The steps that a plugin runs before and after the command of a role's tasks. Has no side effects.
 * A parameter of the wrong type is ignored, because job file validation has already warned about
 * it.
 */
record PluginSteps(PluginStep before, PluginStep after) {
  private static final PluginSteps NO_STEPS = new PluginSteps(PluginStep.EMPTY, PluginStep.EMPTY);

  /**
   * @param plugin a plugin that applies to the role
   */
  static PluginSteps of(RuntimePlugin plugin, JobSpec spec, RoleSpec role) {
    return switch (plugin.name()) {
      case "cmd" -> cmd(plugin);
      case "git" -> onlyBefore(git(plugin.parameters()));
      case "ssh" -> onlyBefore(SshPlugin.of(plugin, spec));
      case "tensorboard" -> onlyBefore(tensorboard(plugin, spec, role));
      // Storage plugins run no scripts, because storages are mounted. Validation has already warned
      // about unknown plugins.
      default -> NO_STEPS;
    };
  }

  private static PluginSteps onlyBefore(PluginStep step) {
    return new PluginSteps(step, PluginStep.EMPTY);
  }

  private static PluginSteps cmd(RuntimePlugin plugin) {
    StringBuilder before = new StringBuilder(lines(plugin.parameters().get("preCommands")));
    StringBuilder after = new StringBuilder(lines(plugin.parameters().get("postCommands")));
    if (plugin.parameters().get("callbacks") instanceof List<?> callbacks) {
      for (Object item : callbacks) {
        if (item instanceof Map<?, ?> callback) {
          String text = lines(callback.get("commands"));
          switch (String.valueOf(callback.get("event"))) {
            case "taskStarts" -> before.append(text);
            case "taskSucceeds" -> after.append(text);
            default -> {}
          }
        }
      }
    }
    return new PluginSteps(cmd(before, plugin), cmd(after, plugin));
  }

  /** Returns a step that stops at the first command that fails, unless failures are ignored. */
  private static PluginStep cmd(StringBuilder lines, RuntimePlugin plugin) {
    if (lines.isEmpty()) {
      return PluginStep.EMPTY;
    }
    return PluginStep.ofUser(
        plugin.ignoreFailure() ? lines + "true\n" : "set -o errexit\n" + lines);
  }

  private static String lines(Object commands) {
    StringBuilder text = new StringBuilder();
    if (commands instanceof List<?> list) {
      list.stream().filter(item -> item != null).forEach(item -> text.append(item).append('\n'));
    }
    return text.toString();
  }

  private static PluginStep git(Map<String, Object> parameters) {
    StringBuilder text = new StringBuilder(Scripts.load("git.sh"));
    String directory = cloneDirectory(parameters);
    text.append("clone_dir=").append(directory.isEmpty() ? "" : ShellText.expanded(directory));
    text.append("\nclone");
    if (parameters.get("options") instanceof List<?> options) {
      for (Object option : options) {
        for (String word : ShellText.words(String.valueOf(option))) {
          text.append(' ').append(ShellText.quoted(word));
        }
      }
    }
    String repository = parameters.get("repo_uri") instanceof String uri ? uri.strip() : "";
    return PluginStep.ofPlatform(
        text.append(" -- ").append(ShellText.quoted(repository)).append('\n').toString());
  }

  /** Returns the target directory; empty for the default. */
  static String cloneDirectory(Map<String, Object> parameters) {
    String directory = parameters.get("clone_dir") instanceof String text ? text.strip() : "";
    return directory.equals(PluginScripts.DEFAULT_CODE_DIRECTORY) ? "" : directory;
  }

  /**
   * Returns the step that starts TensorBoard. The step runs only in the first role to which the
   * plugin applies; the script checks that it runs in the first task of this role.
   */
  private static PluginStep tensorboard(RuntimePlugin plugin, JobSpec spec, RoleSpec role) {
    RoleSpec firstRole =
        spec.roles().stream()
            .filter(candidate -> plugin.appliesTo(candidate.name()))
            .findFirst()
            .orElseThrow();
    if (plugin.parameters().isEmpty() || !firstRole.name().equals(role.name())) {
      return PluginStep.EMPTY;
    }
    if (!(plugin.parameters().get("logdir") instanceof Map<?, ?> directories)
        || directories.isEmpty()) {
      return PluginStep.ofPlatform(
          "echo '[trainyard: tensorboard needs the parameter logdir]' >&2\nexit 2\n");
    }
    boolean several = directories.size() > 1;
    StringBuilder logdir = new StringBuilder();
    directories.forEach(
        (name, path) -> {
          logdir.append(logdir.isEmpty() ? "" : ",");
          logdir.append(several ? name + ":" : "").append(path);
        });
    Object port = plugin.parameters().get("port");
    return PluginStep.ofPlatform(
        "port=%s\nseveral=%d\nlogdir=%s\n"
                .formatted(
                    ShellText.quoted(port == null ? "" : String.valueOf(port).strip()),
                    several ? 1 : 0,
                    ShellText.expanded(logdir.toString()))
            + Scripts.load("tensorboard.sh"));
  }
}
