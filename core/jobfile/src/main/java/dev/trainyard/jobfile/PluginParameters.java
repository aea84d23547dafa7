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
   * @param plugin the whole entry, whose position is reported if a parameter is missing
   * @param parameters empty if there are none
   * @param gang whether all tasks start together
   */
  static void check(String name, Fields plugin, Optional<Fields> parameters, boolean gang) {
    switch (name) {
      case "cmd" -> parameters.ifPresent(PluginParameters::cmd);
      case "git" -> {
        if (text(parameters, "repo_uri").isEmpty()) {
          missing(plugin, name, "repo_uri");
        }
        parameters.ifPresent(found -> known(found, "repo_uri", "options", "clone_dir"));
      }
      case "ssh" -> parameters.ifPresent(found -> ssh(found, gang));
      case "tensorboard" -> {
        if (parameters.isPresent()
            && !(parameters.get().find("logdir").orElse(null) instanceof Located.Table table
                && !table.fields().isEmpty())) {
          missing(plugin, name, "logdir");
        }
        parameters.ifPresent(found -> known(found, "port", "logdir"));
      }
      case "teamwise_storage" -> parameters.ifPresent(found -> known(found, "storageConfigNames"));
      default ->
          plugin.warn("plugin", Message.of("jobfile.plugin-unknown", "name", Excerpt.of(name)));
    }
  }

  private static void cmd(Fields parameters) {
    known(parameters, "preCommands", "postCommands", "callbacks");
  }

  private static void ssh(Fields parameters, boolean gang) {
    known(parameters, "jobssh", "sshbarrier", "sshbarrierTimeout", "userssh");
    boolean jobSsh =
        parameters
            .find("jobssh")
            .map(PlainValues::of)
            .map(String::valueOf)
            .orElse("")
            .equals("true");
    if (jobSsh && !gang) {
      parameters.warn("jobssh", Message.of("jobfile.ssh-without-gang"));
    }
    if (parameters.find("userssh").orElse(null) instanceof Located.Table user
        && user.fields().get("type") instanceof Located.Text type) {
      if (!SSH_TYPES.contains(type.value())) {
        String found = Excerpt.quoted(type.value());
        parameters.warn("userssh", Message.of("jobfile.ssh-type", "found", found));
      } else if (type.value().equals("system")) {
        parameters.warn("userssh", Message.of("jobfile.ssh-system"));
      }
    }
  }

  private static void known(Fields parameters, String... names) {
    for (String name : names) {
      parameters.find(name);
    }
    parameters.warnUnknown();
  }

  private static void missing(Fields plugin, String name, String parameter) {
    plugin.warn(
        "parameters",
        Message.of("jobfile.plugin-missing", "name", name).with("parameter", parameter));
  }

  private static Optional<String> text(Optional<Fields> parameters, String name) {
    return parameters
        .flatMap(fields -> fields.find(name))
        .map(value -> value instanceof Located.Text text ? text.value() : "")
        .filter(text -> !text.isBlank());
  }

  /** Returns whether the parameters contain references, whose values may differ between roles. */
  static boolean differByRole(Map<String, Object> parameters) {
    boolean[] quotes = new boolean[1];
    changed(
        parameters,
        text -> {
          quotes[0] |= text.contains(Template.OPEN);
          return text;
        });
    return quotes[0];
  }

  /** Returns the number of values, which is the size of a copy even if there is no text. */
  static int count(Object value) {
    return switch (value) {
      case Map<?, ?> map -> 1 + map.values().stream().mapToInt(PluginParameters::count).sum();
      case List<?> list -> 1 + list.stream().mapToInt(PluginParameters::count).sum();
      case null, default -> 1;
    };
  }

  /** Returns a copy with every text changed, except field names. */
  static Map<String, Object> changed(Map<?, ?> parameters, UnaryOperator<String> change) {
    Map<String, Object> all = new LinkedHashMap<>();
    parameters.forEach((name, value) -> all.put(String.valueOf(name), changed(value, change)));
    return all;
  }

  private static Object changed(Object value, UnaryOperator<String> change) {
    return switch (value) {
      case String text -> change.apply(text);
      case Map<?, ?> map -> changed(map, change);
      case List<?> list -> {
        List<Object> items = new ArrayList<>();
        list.forEach(item -> items.add(changed(item, change)));
        yield items;
      }
      case null, default -> value;
    };
  }
}
