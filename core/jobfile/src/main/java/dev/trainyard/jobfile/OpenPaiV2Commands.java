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
 * commands, and its postCommands, each trimmed and on a line of its own; then names in the whole
 * text are replaced. References to secrets are not replaced in the stored command, see {@link
 * Secrets}.
 */
final class OpenPaiV2Commands {
  /**
   * Maximum length of the commands of all roles together: a small file that quotes a large
   * parameter often can become large.
   */
  private static final int MOST = 4 * JobFiles.MAX_LENGTH;

  /** Minimum size counted for a plugin. */
  private static final int ONE_PLUGIN = 100;

  private final OpenPaiV2Prerequisites prerequisites;
  private final OpenPaiV2Deployments deployments;
  private final Map<String, Object> parameters;
  private final Secrets secrets;
  private final ScriptTexts texts = new ScriptTexts();
  private int left = MOST;

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

  String read(Fields role, String name, RolePrerequisites chosen) {
    role.require("commands");
    OpenPaiV2Deployments.Around around = deployments.around(name);
    List<String> lines = new ArrayList<>(around.before());
    lines.addAll(role.texts("commands"));
    lines.addAll(around.after());
    if (left <= 0) {
      role.tell("commands", Message.of(code(Template.Fault.TOO_LONG)));
      return "";
    }
    String text = String.join("\n", lines.stream().map(String::strip).toList());
    TemplateValues values = values(chosen);
    Function<String, Optional<String>> found = values::find;
    Template template =
        new Template(text, found, unknown -> unresolved(role, unknown), Math.max(left, 0));
    try {
      String command = template.render();
      if (!secrets.fits(command, left)) {
        throw new Template.FaultException(Template.Fault.TOO_LONG);
      }
      left -= command.length();
      return command;
    } catch (Template.FaultException e) {
      left = e.fault() == Template.Fault.TOO_LONG ? 0 : left; // no more work for the other roles
      role.tell("commands", Message.of(code(e.fault())));
      return "";
    }
  }

  /**
   * Returns the plugin for one role, with the names in its parameters replaced. Unlike commands,
   * parameters are not full templates: names are replaced, and everything else stays unchanged.
   * Empty if the plugins of all roles, including their secrets, get too long together, because the
   * start of a task substitutes all of them at once.
   */
  Optional<RuntimePlugin> rendered(
      RuntimePlugin plugin, RoleSpec role, Consumer<Message> warnings) {
    left -= left < 0 ? 0 : ONE_PLUGIN + PluginParameters.count(plugin.parameters());
    if (left < 0) {
      return Optional.empty();
    }
    TemplateValues values = values(role.prerequisites());
    Map<String, Object> parameters =
        PluginParameters.changed(plugin.parameters(), text -> replaced(text, values, warnings));
    return left < 0
        ? Optional.empty()
        : Optional.of(
            new RuntimePlugin(
                plugin.name(), parameters, plugin.ignoreFailure(), List.of(role.name())));
  }

  private String replaced(String text, TemplateValues values, Consumer<Message> warnings) {
    left -= text.length();
    int open = text.indexOf(Template.OPEN);
    if (open < 0 || left < 0) {
      return text;
    }
    StringBuilder done = new StringBuilder();
    int at = 0;
    while (open >= 0 && left >= 0) {
      int close = text.indexOf(Template.CLOSE, open);
      if (close < 0) {
        break;
      }
      String name = text.substring(open + Template.OPEN.length(), close).strip();
      Optional<String> value = values.find(name);
      if (value.isEmpty() && secrets.find(name).isEmpty()) {
        warnings.accept(unknown(name));
      }
      int end = close + Template.CLOSE.length();
      String written = value.orElse(text.substring(open, end));
      left -= written.length();
      done.append(text, at, open).append(written);
      at = end;
      open = text.indexOf(Template.OPEN, at);
    }
    String result = done.append(text, at, text.length()).toString();
    // The length of the text itself was already counted; only the secrets add to it.
    left = Math.min(left, secrets.room(result, left + result.length()));
    return result;
  }

  private TemplateValues values(RolePrerequisites chosen) {
    Map<String, Map<String, Object>> roots = new HashMap<>();
    roots.put("$parameters", parameters);
    Map<String, String> named =
        Map.of("script", chosen.script(), "data", chosen.data(), "output", chosen.output());
    named.forEach(
        (type, name) ->
            prerequisites
                .find(type, name)
                .ifPresent(found -> roots.put("$" + type, found.fields())));
    return new TemplateValues(roots, texts);
  }

  private void unresolved(Fields role, String name) {
    if (secrets.find(name).isEmpty()) {
      role.warn("commands", unknown(name));
    }
  }

  private static Message unknown(String name) {
    String shown = Excerpt.quoted(Template.OPEN + " " + name + " " + Template.CLOSE);
    return Message.of("jobfile.template-unknown", "name", shown);
  }

  private static String code(Template.Fault fault) {
    return switch (fault) {
      case TAG_NOT_CLOSED -> "jobfile.template-open";
      case SECTION_NOT_CLOSED, SECTION_NOT_OPENED -> "jobfile.template-section";
      case NEW_DELIMITERS -> "jobfile.template-delimiters";
      case TOO_LONG -> "jobfile.template-long";
    };
  }
}
