package dev.trainyard.model;

import java.util.Objects;

/**
 * One task of one attempt of a job. Its text form is safe as a file name: it starts with a ULID,
 * and a role has none but letters, digits, {@code . _ ~ -}.
 */
public record TaskId(JobId job, int attempt, String role, int index) {
  public TaskId {
    Objects.requireNonNull(job);
    Objects.requireNonNull(role);
  }

  /** Reads the text form; the role may itself contain dots, so both ends are cut first. */
  public static TaskId parse(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    int last = text.lastIndexOf('.');
    if (first < 0 || second < 0 || last <= second) {
      throw new IllegalArgumentException("not a task id: " + text);
    }
    return new TaskId(
        new JobId(text.substring(0, first)),
        Integer.parseInt(text.substring(first + 1, second)),
        text.substring(second + 1, last),
        Integer.parseInt(text.substring(last + 1)));
  }

  @Override
  public String toString() {
    return job + "." + attempt + "." + role + "." + index;
  }
}
