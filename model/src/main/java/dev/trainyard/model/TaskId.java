package dev.trainyard.model;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One task of one attempt of a job. Its text form is safe as a file name: it starts with a ULID,
 * and a role has none but letters, digits, {@code . _ ~ -}.
 */
public record TaskId(JobId job, int attempt, String role, int index) {
  private static final Pattern ROLE = Pattern.compile("[A-Za-z0-9._~-]+");

  public TaskId {
    Objects.requireNonNull(job);
    if (attempt < 0 || index < 0 || !ROLE.matcher(role).matches()) {
      throw new IllegalArgumentException(
          "not a task: role " + role + ", index " + index + ", attempt " + attempt);
    }
  }

  /** Reads the text form; the role may itself contain dots, so both ends are cut first. */
  public static TaskId parse(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    int last = text.lastIndexOf('.');
    if (first < 0 || second < 0 || last <= second) {
      throw new IllegalArgumentException("not a task id: " + text);
    }
    TaskId task =
        new TaskId(
            new JobId(text.substring(0, first)),
            Integer.parseInt(text.substring(first + 1, second)),
            text.substring(second + 1, last),
            Integer.parseInt(text.substring(last + 1)));
    if (!task.toString().equals(text)) { // "+1" or "01": two names for one task
      throw new IllegalArgumentException("not a task id: " + text);
    }
    return task;
  }

  @Override
  public String toString() {
    return job + "." + attempt + "." + role + "." + index;
  }
}
