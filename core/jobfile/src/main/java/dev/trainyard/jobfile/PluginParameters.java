package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Checks the parameters of each runtime plugin. */
final class PluginParameters {
  private static final Set<String> SSH_TYPES = Set.of("custom", "system");

  private PluginParameters() {}

  /**
   * Adds warnings about parameters that will not have the expected effect.
   *
   * @param plugin the complete entry of the plugin, whose position is reported if a parameter is
   *     missing
   * @param parameters empty if there are none
   * @param gang whether all tasks start together
   */
  static void check(String name, Fields plugin, Optional<Fields> parameters, boolean gang) {
    switch (name) {
      case "cmd" -> parameters.ifPresent(PluginParameters::checkCmd);
      case "git" -> {
        if (text(parameters, "repo_uri").isEmpty()) {
          warnMissingParameter(plugin, name, "repo_uri");
        }
        parameters.ifPresent(
            parameterFields ->
                warnUnknownParameters(parameterFields, "repo_uri", "options", "clone_dir"));
      }
      case "ssh" -> parameters.ifPresent(parameterFields -> checkSsh(parameterFields, gang));
      case "tensorboard" -> {
        if (parameters.isPresent()
            && !(parameters.get().find("logdir").orElse(null) instanceof DocumentValue.Table table
                && !table.fields().isEmpty())) {
          warnMissingParameter(plugin, name, "logdir");
        }
        parameters.ifPresent(
            parameterFields -> warnUnknownParameters(parameterFields, "port", "logdir"));
      }
      case "teamwise_storage" ->
          parameters.ifPresent(
              parameterFields -> warnUnknownParameters(parameterFields, "storageConfigNames"));
      default ->
          plugin.warn("plugin", Message.of("jobfile.plugin-unknown", "name", Excerpt.of(name)));
    }
  }

  private static void checkCmd(Fields parameters) {
    warnUnknownParameters(parameters, "preCommands", "postCommands", "callbacks");
  }

  private static void checkSsh(Fields parameters, boolean gang) {
    warnUnknownParameters(parameters, "jobssh", "sshbarrier", "sshbarrierTimeout", "userssh");
    boolean enablesJobSsh =
        parameters
            .find("jobssh")
            .map(PlainValues::of)
            .map(String::valueOf)
            .orElse("")
            .equals("true");
    if (enablesJobSsh && !gang) {
      parameters.warn("jobssh", Message.of("jobfile.ssh-without-gang"));
    }
    if (parameters.find("userssh").orElse(null) instanceof DocumentValue.Table userSsh
        && userSsh.fields().get("type") instanceof DocumentValue.Text type) {
      if (!SSH_TYPES.contains(type.value())) {
        String shownType = Excerpt.quoted(type.value());
        parameters.warn("userssh", Message.of("jobfile.ssh-type", "found", shownType));
      } else if (type.value().equals("system")) {
        parameters.warn("userssh", Message.of("jobfile.ssh-system"));
      }
    }
  }

  private static void warnUnknownParameters(Fields parameters, String... names) {
    for (String name : names) {
      parameters.find(name);
    }
    parameters.warnUnknown();
  }

  private static void warnMissingParameter(Fields plugin, String name, String parameter) {
    plugin.warn(
        "parameters",
        Message.of("jobfile.plugin-missing", "name", name).with("parameter", parameter));
  }

  private static Optional<String> text(Optional<Fields> parameters, String name) {
    return parameters
        .flatMap(fields -> fields.find(name))
        .map(value -> value instanceof DocumentValue.Text text ? text.value() : "")
        .filter(text -> !text.isBlank());
  }

  /** Returns whether the parameters contain references, whose values may differ between roles. */
  static boolean containsReferences(Map<String, Object> parameters) {
    boolean[] containsReference = new boolean[1];
    mapTexts(
        parameters,
        text -> {
          containsReference[0] |= text.contains(Template.OPEN);
          return text;
        });
    return containsReference[0];
  }

  /** Returns the number of values, which determines the minimum size of a copy. */
  static int countValues(Object value) {
    return switch (value) {
      case Map<?, ?> map -> 1 + map.values().stream().mapToInt(PluginParameters::countValues).sum();
      case List<?> list -> 1 + list.stream().mapToInt(PluginParameters::countValues).sum();
      case null, default -> 1;
    };
  }

  /** Returns a copy with every text changed, except field names. */
  static Map<String, Object> mapTexts(Map<?, ?> parameters, UnaryOperator<String> change) {
    Map<String, Object> result = new LinkedHashMap<>();
    parameters.forEach((name, value) -> result.put(String.valueOf(name), mapTexts(value, change)));
    return result;
  }

  private static Object mapTexts(Object value, UnaryOperator<String> change) {
    return switch (value) {
      case String text -> change.apply(text);
      case Map<?, ?> map -> mapTexts(map, change);
      case List<?> list -> {
        List<Object> items = new ArrayList<>();
        list.forEach(item -> items.add(mapTexts(item, change)));
        yield items;
      }
      case null, default -> value;
    };
  }
}
