package dev.trainyard.server.queue;

import dev.trainyard.model.TaskId;
import java.util.Locale;
import java.util.regex.Pattern;

/** Host names of tasks. */
final class HostNames {
  private static final int MAX_LENGTH = 63;
  private static final Pattern VALID =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
              + "(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

  private static final Pattern INVALID_CHARACTERS = Pattern.compile("[^a-z0-9]+");
  private static final Pattern OUTER_DASHES = Pattern.compile("^-|-$");

  private HostNames() {}

  /** Returns {@code role-index}, with characters that are invalid in a host name replaced. */
  static String of(TaskId task) {
    String suffix = "-" + task.index();
    String dashed =
        INVALID_CHARACTERS.matcher(task.role().toLowerCase(Locale.ROOT)).replaceAll("-");
    String role = OUTER_DASHES.matcher(dashed).replaceAll("");
    String name = role.isEmpty() ? "task" : role;
    return name.substring(0, Math.min(name.length(), MAX_LENGTH - suffix.length())) + suffix;
  }

  /** Returns {@code role-index} unchanged, which may be an invalid host name. */
  static String exact(TaskId task) {
    return task.role() + "-" + task.index();
  }

  static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }
}
