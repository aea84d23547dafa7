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
  private static final String USER = "\u0001";

  private ConvertedCommands() {}

  static List<String> of(JobSpec spec, RoleSpec role, List<Message> notes) {
    List<String> commands = new ArrayList<>();
    spec.environment()
        .forEach(
            (name, value) -> {
              if (NameRules.isWord(name, Integer.MAX_VALUE)) {
                commands.add("export " + name + "='" + value.replace("'", "'\\''") + "'");
              } else {
                notes.add(Message.of("jobfile.convert-lost", "name", Excerpt.quoted(name)));
              }
            });
    Map<String, String> folders = new LinkedHashMap<>();
    folders.put("PAI_DATA_DIR", spec.dataDir());
    folders.put("PAI_OUTPUT_DIR", spec.outputDir());
    folders.put("PAI_CODE_DIR", spec.codeDir());
    folders.forEach(
        (name, folder) -> {
          if (!folder.isEmpty()) {
            commands.add("export " + name + "=\"" + quoted(folder, spec.name()) + "\"");
            if (!folder.contains("://") && !name.equals("PAI_CODE_DIR")) {
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
   * Quotes a directory for use within double quotes of a shell; only the user name remains to be
   * substituted there.
   */
  private static String quoted(String folder, String jobName) {
    return DirectoryVariables.substitute(folder, jobName, USER)
        .replaceAll("[\\\\\"$`]", "\\\\$0")
        .replace(USER, "${PAI_USER_NAME}");
  }
}
