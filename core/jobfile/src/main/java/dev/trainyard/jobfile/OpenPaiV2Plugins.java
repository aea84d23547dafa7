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
 * Reads the runtime plugins of an OpenPAI v2 file: first the plugins of the roles' prerequisites,
 * then the plugins in {@code extras}. OpenPAI evaluates plugins only when a task starts, so
 * problems of a plugin are warnings; the only error is that the plugins exceed the size limit.
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
        Optional<RuntimePlugin> declaredPlugin =
            prerequisites.findAny(name).flatMap(OpenPaiV2Plugins::toPlugin);
        if (declaredPlugin.isEmpty()) {
          continue;
        }
        Optional<RuntimePlugin> rolePlugin = commands.render(declaredPlugin.get(), role, _ -> {});
        if (rolePlugin.isEmpty()) {
          prerequisites.reportTooLong();
          return plugins;
        }
        plugins.add(rolePlugin.get());
      }
    }
    return plugins;
  }

  private static Optional<RuntimePlugin> toPlugin(Prerequisite prerequisite) {
    Map<String, Object> parameters = new LinkedHashMap<>(prerequisite.fields());
    parameters.keySet().removeAll(Set.of("plugin", "failurePolicy", "type"));
    boolean ignoreFailure = "ignore".equals(prerequisite.fields().get("failurePolicy"));
    return name(prerequisite.fields().get("plugin"))
        .map(name -> new RuntimePlugin(name, parameters, ignoreFailure, List.of()));
  }

  /** Returns the plugin name of a prerequisite without the common prefix. */
  static Optional<String> name(Object plugin) {
    return plugin instanceof String text && text.startsWith(KEY + ".")
        ? Optional.of(text.substring(KEY.length() + 1))
        : Optional.empty();
  }

  List<RuntimePlugin> ofExtras(DocumentValue.Items items, String path, boolean gang) {
    List<RuntimePlugin> plugins = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      DocumentValue item = items.values().get(i);
      String itemPath = DocumentPaths.item(path, i);
      if (item instanceof DocumentValue.Table table
          && table.fields().get("plugin") instanceof DocumentValue.Text name
          && !name.value().isBlank()) {
        plugins.addAll(read(new Fields(table, itemPath, problems), name.value(), gang));
      } else {
        problems.warn(itemPath, item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
      }
    }
    return plugins;
  }

  private List<RuntimePlugin> read(Fields fields, String name, boolean gang) {
    fields.find("plugin");
    Optional<DocumentValue> parameters = fields.find("parameters");
    Optional<Fields> table = Optional.empty();
    if (parameters.isPresent() && parameters.get() instanceof DocumentValue.Table) {
      table = fields.fields("parameters");
    } else if (parameters.isPresent() && !(parameters.get() instanceof DocumentValue.Null)) {
      fields.warn("parameters", Message.of("jobfile.extras-form", "name", "parameters"));
    }
    boolean ignoreFailure = ignoresFailure(fields);
    Optional<List<String>> roleNames = readRoles(fields);
    fields.warnUnknown();
    PluginParameters.check(name, fields, table, gang);
    Map<String, Object> plain = table.map(Fields::plain).orElse(Map.of());
    RuntimePlugin plugin =
        new RuntimePlugin(name, plain, ignoreFailure, roleNames.orElse(List.of()));
    // In the file an empty list means no role, but in a RuntimePlugin it means all roles.
    if (roleNames.isPresent() && roleNames.get().isEmpty()) {
      return List.of();
    }
    return PluginParameters.containsReferences(plain)
        ? renderForRoles(plugin, fields)
        : List.of(plugin);
  }

  private List<RuntimePlugin> renderForRoles(RuntimePlugin plugin, Fields fields) {
    List<RuntimePlugin> rolePlugins = new ArrayList<>();
    for (String name : plugin.roles().isEmpty() ? roles.keySet() : plugin.roles()) {
      Optional<RuntimePlugin> rolePlugin =
          commands.render(plugin, roles.get(name), message -> fields.warn("parameters", message));
      if (rolePlugin.isEmpty()) {
        fields.report("parameters", Message.of("jobfile.template-long"));
        break;
      }
      rolePlugins.add(rolePlugin.get());
    }
    return rolePlugins;
  }

  private static boolean ignoresFailure(Fields fields) {
    Optional<DocumentValue> policy = fields.find("failurePolicy");
    String text =
        policy.isPresent() && policy.get() instanceof DocumentValue.Text policyText
            ? policyText.value().toLowerCase(Locale.ROOT)
            : "fail";
    if (policy.isPresent()
        && (!(policy.get() instanceof DocumentValue.Text) || !POLICIES.contains(text))) {
      fields.warn(
          "failurePolicy", Message.of("jobfile.plugin-policy", "found", Excerpt.of(policy.get())));
    }
    return text.equals("ignore");
  }

  /**
   * Returns the roles of a plugin; empty if the plugin applies to all roles because the file does
   * not list any.
   */
  private Optional<List<String>> readRoles(Fields fields) {
    Optional<DocumentValue> value = fields.find("taskroles");
    if (value.isEmpty() || value.get() instanceof DocumentValue.Null) {
      return Optional.empty();
    }
    if (!(value.get() instanceof DocumentValue.Items items)) {
      fields.warn("taskroles", Message.of("jobfile.extras-form", "name", "taskroles"));
      return Optional.empty();
    }
    Set<String> names = new LinkedHashSet<>();
    for (DocumentValue item : items.values()) {
      if (item instanceof DocumentValue.Text text && roles.containsKey(text.value())) {
        names.add(text.value());
      } else {
        fields.warn("taskroles", Message.of("jobfile.plugin-role", "name", Excerpt.of(item)));
      }
    }
    return Optional.of(List.copyOf(names));
  }
}
