package dev.trainyard.model;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Identifies one run of a task in an attempt of a job. The text form is safe as a file name: it
 * starts with a ULID, and a role contains only letters, digits and {@code . _ ~ -}.
 *
 * @param retry number of retries of this task while the rest of its attempt continued; greater than
 *     0 only in a job without gang scheduling
 */
public record TaskId(JobId job, int attempt, String role, int index, int retry) {
  private static final Pattern ROLE = Pattern.compile("[A-Za-z0-9._~-]+");

  public TaskId {
    Objects.requireNonNull(job);
    if (attempt < 0 || index < 0 || retry < 0 || !ROLE.matcher(role).matches()) {
      throw new IllegalArgumentException(
          "not a task: role %s, index %d, attempt %d, retry %d"
              .formatted(role, index, attempt, retry));
    }
  }

  /** Creates the ID of a task that was not retried. */
  public TaskId(JobId job, int attempt, String role, int index) {
    this(job, attempt, role, index, 0);
  }

  /** Returns the ID of the next run of the same task. */
  public TaskId again() {
    return new TaskId(job, attempt, role, index, retry + 1);
  }

  /**
   * Parses the text form. The role is the text between the second and the last dot, because it may
   * contain dots itself.
   */
  public static TaskId parse(String text) {
    int firstDot = text.indexOf('.');
    int secondDot = text.indexOf('.', firstDot + 1);
    int lastDot = text.lastIndexOf('.');
    if (firstDot < 0 || secondDot < 0 || lastDot <= secondDot) {
      throw new IllegalArgumentException("not a task id: " + text);
    }
    String[] attempt = text.substring(firstDot + 1, secondDot).split("r", 2);
    TaskId task =
        new TaskId(
            new JobId(text.substring(0, firstDot)),
            Integer.parseInt(attempt[0]),
            text.substring(secondDot + 1, lastDot),
            Integer.parseInt(text.substring(lastDot + 1)),
            attempt.length == 1 ? 0 : Integer.parseInt(attempt[1]));
    if (!task.toString().equals(text)) { // "+1" or "01" would be a second name of the same task
      throw new IllegalArgumentException("not a task id: " + text);
    }
    return task;
  }

  @Override
  public String toString() {
    return job + "." + attempt + (retry == 0 ? "" : "r" + retry) + "." + role + "." + index;
  }
}
