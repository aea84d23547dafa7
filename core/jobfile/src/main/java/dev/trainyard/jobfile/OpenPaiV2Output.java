package dev.trainyard.jobfile;

import dev.trainyard.model.JobExtras;
import dev.trainyard.model.Message;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskPath;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the saved output directory of an OpenPAI v2 job among its prerequisites of type {@code
 * output}: the first whose URI is a path that can be saved; roles' outputs take precedence over
 * outputs that no role uses. Warns about outputs outside of this directory.
 */
final class OpenPaiV2Output {
  /** Maximum number of outputs that are considered; each is compared with every storage. */
  private static final int MAX_CANDIDATES = 100;

  private static final int MAX_LENGTH = 1024;

  private final JobExtras extras;

  OpenPaiV2Output(JobExtras extras) {
    this.extras = extras;
  }

  /** Returns the output directory as the file writes it; empty for the default directory. */
  String choose(OpenPaiV2Prerequisites prerequisites, List<RoleSpec> roles) {
    Set<String> usedNames =
        roles.stream().map(role -> role.prerequisites().output()).collect(Collectors.toSet());
    Map<Prerequisite, Fields> outputs = prerequisites.outputs();
    String directory =
        outputs.keySet().stream()
            .sorted(Comparator.comparing(output -> !usedNames.contains(output.name())))
            .limit(MAX_CANDIDATES)
            .map(Prerequisite::uri)
            .filter(this::isSaved)
            .findFirst()
            .orElse(TaskPath.DEFAULT_OUTPUT);
    outputs.forEach(
        (output, fields) -> {
          if (!TaskPath.isBelow(pathOf(output.uri()), pathOf(directory))) {
            Message message =
                Message.of("jobfile.output-not-saved", "found", Excerpt.quoted(output.uri()));
            fields.warn("uri", message.with("saved", directory));
          }
        });
    return directory.equals(TaskPath.DEFAULT_OUTPUT) ? "" : directory;
  }

  /**
   * Returns a URI with sample values for the only variables whose values are known before the shell
   * of the task runs.
   */
  private static String pathOf(String uri) {
    return DirectoryVariables.substitute(uri, "job", "user");
  }

  /**
   * Returns whether a URI names a directory that can be saved. Storages keep their files
   * themselves, and no volume can be mounted inside or around them.
   */
  boolean isSaved(String uri) {
    String path = pathOf(uri);
    return path.length() <= MAX_LENGTH
        && !path.contains(Template.OPEN)
        && path.chars().noneMatch(letter -> letter == '$' || letter == '`')
        && TaskPath.isSaved(path)
        && !(extras.defaultStorages() && TaskPath.isBelow(path, "/mnt"))
        && extras.storages().stream()
            .noneMatch(
                mount ->
                    TaskPath.isBelow(path, mount.mountPath())
                        || TaskPath.isBelow(mount.mountPath(), path));
  }
}
