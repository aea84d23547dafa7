package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.RuntimePlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the runtime plugins of an OpenPAI v2 file: those of a role's prerequisites, then those in
 * {@code extras}. OpenPAI evaluates them only when a task starts, so problems of a plugin are
 * warnings and never errors.
 */
final class OpenPaiV2Plugins {
  static final String KEY = "com.microsoft.pai.runtimeplugin";

  private static final Set<String> POLICIES = Set.of("fail", "ignore");

  private final Map<String, RoleSpec> roles = new LinkedHashMap<>();
  private final OpenPaiV2Prerequisites prerequisites;
  private final OpenPaiV2Commands commands;
  private final Problems problems;

  OpenPaiV2Plugins(
      List<RoleSpec> roles,
      OpenPaiV2Prerequisites prerequisites,
      OpenPaiV2Commands commands,
      Problems problems) {
    roles.forEach(role -> this.roles.put(role.name(), role));
    this.prerequisites = prerequisites;
    this.commands = commands;
    this.problems = problems;
  }

  /** Returns the plugins of the prerequisites that roles refer to. */
  List<RuntimePlugin> ofPrerequisites() {
    List<RuntimePlugin> plugins = new ArrayList<>();
    for (RoleSpec role : roles.values()) {
      for (String name : role.prerequisites().others()) {
        Optional<RuntimePlugin> written =
            prerequisites.findAny(name).flatMap(OpenPaiV2Plugins::plugin);
        if (written.isEmpty()) {
          continue;
        }
        Optional<RuntimePlugin> own = commands.rendered(written.get(), role, _ -> {});
        if (own.isEmpty()) {
          prerequisites.tooLong();
          return plugins;
        }
        plugins.add(own.get());
      }
    }
    return plugins;
  }

  private static Optional<RuntimePlugin> plugin(Prerequisite prerequisite) {
    Map<String, Object> parameters = new LinkedHashMap<>(prerequisite.fields());
    parameters.keySet().removeAll(Set.of("plugin", "failurePolicy", "type"));
    boolean ignore = "ignore".equals(prerequisite.fields().get("failurePolicy"));
    return name(prerequisite.fields().get("plugin"))
        .map(name -> new RuntimePlugin(name, parameters, ignore, List.of()));
  }

  /** Returns the plugin name of a prerequisite without the common prefix. */
  static Optional<String> name(Object plugin) {
    return plugin instanceof String text && text.startsWith(KEY + ".")
        ? Optional.of(text.substring(KEY.length() + 1))
        : Optional.empty();
  }

  List<RuntimePlugin> ofExtras(Located.Items items, String path, boolean gang) {
    List<RuntimePlugin> plugins = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      Located item = items.values().get(i);
      String place = Paths.item(path, i);
      if (item instanceof Located.Table table
          && table.fields().get("plugin") instanceof Located.Text name
          && !name.value().isBlank()) {
        plugins.addAll(read(new Fields(table, place, problems), name.value(), gang));
      } else {
        problems.warn(place, item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
      }
    }
    return plugins;
  }

  private List<RuntimePlugin> read(Fields fields, String name, boolean gang) {
    fields.find("plugin");
    Optional<Located> parameters = fields.find("parameters");
    Optional<Fields> table = Optional.empty();
    if (parameters.isPresent() && parameters.get() instanceof Located.Table) {
      table = fields.fields("parameters");
    } else if (parameters.isPresent() && !(parameters.get() instanceof Located.Nothing)) {
      fields.warn("parameters", Message.of("jobfile.extras-form", "name", "parameters"));
    }
    boolean ignore = ignoresFailure(fields);
    Optional<List<String>> chosen = chosen(fields);
    fields.warnUnknown();
    PluginParameters.check(name, fields, table, gang);
    Map<String, Object> plain = table.map(Fields::plain).orElse(Map.of());
    RuntimePlugin written = new RuntimePlugin(name, plain, ignore, chosen.orElse(List.of()));
    // In the file an empty list means no role, but in a RuntimePlugin it means all roles.
    if (chosen.isPresent() && chosen.get().isEmpty()) {
      return List.of();
    }
    return PluginParameters.differByRole(plain) ? perRole(written, fields) : List.of(written);
  }

  private List<RuntimePlugin> perRole(RuntimePlugin written, Fields fields) {
    List<RuntimePlugin> all = new ArrayList<>();
    for (String name : written.roles().isEmpty() ? roles.keySet() : written.roles()) {
      Optional<RuntimePlugin> own =
          commands.rendered(
              written, roles.get(name), message -> fields.warn("parameters", message));
      if (own.isEmpty()) {
        fields.tell("parameters", Message.of("jobfile.template-long"));
        break;
      }
      all.add(own.get());
    }
    return all;
  }

  private static boolean ignoresFailure(Fields fields) {
    Optional<Located> policy = fields.find("failurePolicy");
    String text =
        policy.isPresent() && policy.get() instanceof Located.Text written
            ? written.value().toLowerCase(Locale.ROOT)
            : "fail";
    if (policy.isPresent()
        && (!(policy.get() instanceof Located.Text) || !POLICIES.contains(text))) {
      fields.warn(
          "failurePolicy", Message.of("jobfile.plugin-policy", "found", Excerpt.of(policy.get())));
    }
    return text.equals("ignore");
  }

  /** Returns the roles of a plugin; empty if the file names none, which means all. */
  private Optional<List<String>> chosen(Fields fields) {
    Optional<Located> value = fields.find("taskroles");
    if (value.isEmpty() || value.get() instanceof Located.Nothing) {
      return Optional.empty();
    }
    if (!(value.get() instanceof Located.Items items)) {
      fields.warn("taskroles", Message.of("jobfile.extras-form", "name", "taskroles"));
      return Optional.empty();
    }
    Set<String> names = new LinkedHashSet<>();
    for (Located item : items.values()) {
      if (item instanceof Located.Text text && roles.containsKey(text.value())) {
        names.add(text.value());
      } else {
        fields.warn("taskroles", Message.of("jobfile.plugin-role", "name", Excerpt.of(item)));
      }
    }
    return Optional.of(List.copyOf(names));
  }
}
