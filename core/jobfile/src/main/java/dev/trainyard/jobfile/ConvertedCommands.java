package dev.trainyard.jobfile;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts the command of an OpenPAI v1 role to v2, which has neither variables nor directories.
 */
final class ConvertedCommands {
  /**
   * Keeps the rule of v1: the last exit code decides, and a failed line does not end the command.
   */
  static final String LAST_EXIT_CODE_DECIDES = "set +o errexit +o nounset +o pipefail";

  private static final String USER_PLACEHOLDER = "\u0001";

  private ConvertedCommands() {}

  static List<String> of(JobSpec spec, RoleSpec role, List<Message> notes) {
    List<String> commands = new ArrayList<>();
    commands.add(LAST_EXIT_CODE_DECIDES);
    spec.environment()
        .forEach(
            (name, value) -> {
              if (NameRules.isWord(name, Integer.MAX_VALUE)) {
                commands.add("export " + name + "='" + value.replace("'", "'\\''") + "'");
              } else {
                notes.add(Message.of("jobfile.convert-lost", "name", Excerpt.quoted(name)));
              }
            });
    Map<String, String> directories = new LinkedHashMap<>();
    directories.put("PAI_DATA_DIR", spec.dataDir());
    directories.put("PAI_OUTPUT_DIR", spec.outputDir());
    directories.put("PAI_CODE_DIR", spec.codeDir());
    directories.forEach(
        (name, directory) -> {
          if (!directory.isEmpty()) {
            commands.add("export " + name + "=\"" + quoteDirectory(directory, spec.name()) + "\"");
            if (!directory.contains("://") && !name.equals("PAI_CODE_DIR")) {
              commands.add("mkdir -p \"$" + name + "\"");
            }
          }
        });
    if (role.command().contains(Template.OPEN)) {
      notes.add(Message.of("jobfile.convert-template", "role", role.name()));
    }
    commands.add(role.command().strip());
    return commands;
  }

  /**
   * Escapes a directory for use within double quotes of a shell. The user name is inserted as a
   * variable that the shell expands.
   */
  private static String quoteDirectory(String directory, String jobName) {
    return DirectoryVariables.substitute(directory, jobName, USER_PLACEHOLDER)
        .replaceAll("[\\\\\"$`]", "\\\\$0")
        .replace(USER_PLACEHOLDER, "${PAI_USER_NAME}");
  }
}
