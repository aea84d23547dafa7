package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.RolePrerequisites;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.RuntimePlugin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Builds a role's command in OpenPAI's order: the preCommands of the default deployment, the
 * commands of the role, and the postCommands of the deployment, each trimmed and on a separate
 * line; then the placeholders ({@code <% name %>}) in the whole text are replaced. References to
 * secrets are not replaced in the stored command, see {@link Secrets}.
 */
final class OpenPaiV2Commands {
  /**
   * Maximum length of the commands of all roles together. It is limited because a small file that
   * refers to a large parameter many times can expand to a large text.
   */
  private static final int MAX_TOTAL_LENGTH = 4 * JobFiles.MAX_LENGTH;

  /** Minimum size counted for a plugin. */
  private static final int MIN_PLUGIN_SIZE = 100;

  private final OpenPaiV2Prerequisites prerequisites;
  private final OpenPaiV2Deployments deployments;
  private final Map<String, Object> parameters;
  private final Secrets secrets;
  private final JavaScriptFormat formatter = new JavaScriptFormat();
  private int remainingLength = MAX_TOTAL_LENGTH;

  OpenPaiV2Commands(
      OpenPaiV2Prerequisites prerequisites,
      OpenPaiV2Deployments deployments,
      Map<String, Object> parameters,
      Secrets secrets) {
    this.prerequisites = prerequisites;
    this.deployments = deployments;
    this.parameters = parameters;
    this.secrets = secrets;
  }

  String read(Fields role, String name, RolePrerequisites rolePrerequisites) {
    role.require("commands");
    OpenPaiV2Deployments.DeploymentCommands hooks = deployments.commandsOf(name);
    List<String> lines = new ArrayList<>(hooks.pre());
    lines.addAll(role.texts("commands"));
    lines.addAll(hooks.post());
    if (remainingLength <= 0) {
      role.report("commands", Message.of(messageCode(Template.Fault.TOO_LONG)));
      return "";
    }
    String text = String.join("\n", lines.stream().map(String::strip).toList());
    TemplateValues values = values(rolePrerequisites);
    Function<String, Optional<String>> lookup = values::find;
    Template template =
        new Template(
            text, lookup, name1 -> warnIfUnknown(role, name1), Math.max(remainingLength, 0));
    try {
      String command = template.render();
      if (!secrets.fits(command, remainingLength)) {
        throw new Template.FaultException(Template.Fault.TOO_LONG);
      }
      remainingLength -= command.length();
      return command;
    } catch (Template.FaultException e) {
      remainingLength =
          e.fault() == Template.Fault.TOO_LONG ? 0 : remainingLength; // skips the remaining roles
      role.report("commands", Message.of(messageCode(e.fault())));
      return "";
    }
  }

  /**
   * Returns the plugin for one role, with the placeholders in its parameters replaced. Unlike
   * commands, parameters are not full templates: only placeholders are replaced. Returns empty if
   * the plugins of all roles together, including their secrets, exceed the limit, because the
   * secrets of all plugins are substituted at once when a task starts.
   */
  Optional<RuntimePlugin> render(RuntimePlugin plugin, RoleSpec role, Consumer<Message> warnings) {
    remainingLength -=
        remainingLength < 0
            ? 0
            : MIN_PLUGIN_SIZE + PluginParameters.countValues(plugin.parameters());
    if (remainingLength < 0) {
      return Optional.empty();
    }
    TemplateValues values = values(role.prerequisites());
    Map<String, Object> parameters =
        PluginParameters.mapTexts(
            plugin.parameters(), text -> replacePlaceholders(text, values, warnings));
    return remainingLength < 0
        ? Optional.empty()
        : Optional.of(
            new RuntimePlugin(
                plugin.name(), parameters, plugin.ignoreFailure(), List.of(role.name())));
  }

  private String replacePlaceholders(
      String text, TemplateValues values, Consumer<Message> warnings) {
    remainingLength -= text.length();
    int open = text.indexOf(Template.OPEN);
    if (open < 0 || remainingLength < 0) {
      return text;
    }
    StringBuilder builder = new StringBuilder();
    int position = 0;
    while (open >= 0 && remainingLength >= 0) {
      int close = text.indexOf(Template.CLOSE, open);
      if (close < 0) {
        break;
      }
      String name = text.substring(open + Template.OPEN.length(), close).strip();
      Optional<String> value = values.find(name);
      if (value.isEmpty() && secrets.find(name).isEmpty()) {
        warnings.accept(unknownNameMessage(name));
      }
      int end = close + Template.CLOSE.length();
      String replacement = value.orElse(text.substring(open, end));
      remainingLength -= replacement.length();
      builder.append(text, position, open).append(replacement);
      position = end;
      open = text.indexOf(Template.OPEN, position);
    }
    String result = builder.append(text, position, text.length()).toString();
    // The length of the text was already deducted, so only the length of the secrets is deducted
    // here.
    remainingLength =
        Math.min(
            remainingLength, secrets.remainingLength(result, remainingLength + result.length()));
    return result;
  }

  private TemplateValues values(RolePrerequisites rolePrerequisites) {
    Map<String, Map<String, Object>> roots = new HashMap<>();
    roots.put("$parameters", parameters);
    Map<String, String> namesByType =
        Map.of(
            "script",
            rolePrerequisites.script(),
            "data",
            rolePrerequisites.data(),
            "output",
            rolePrerequisites.output());
    namesByType.forEach(
        (type, name) ->
            prerequisites
                .find(type, name)
                .ifPresent(prerequisite -> roots.put("$" + type, prerequisite.fields())));
    return new TemplateValues(roots, formatter);
  }

  private void warnIfUnknown(Fields role, String name) {
    if (secrets.find(name).isEmpty()) {
      role.warn("commands", unknownNameMessage(name));
    }
  }

  private static Message unknownNameMessage(String name) {
    String placeholder = Excerpt.quoted(Template.OPEN + " " + name + " " + Template.CLOSE);
    return Message.of("jobfile.template-unknown", "name", placeholder);
  }

  private static String messageCode(Template.Fault fault) {
    return switch (fault) {
      case TAG_NOT_CLOSED -> "jobfile.template-open";
      case SECTION_NOT_CLOSED, SECTION_NOT_OPENED -> "jobfile.template-section";
      case NEW_DELIMITERS -> "jobfile.template-delimiters";
      case TOO_LONG -> "jobfile.template-long";
    };
  }
}
