package dev.trainyard.model;

import java.util.Objects;

/** The permanent identity of a job: a ULID, so that sorting IDs sorts jobs by submission. */
public record JobId(String value) implements Comparable<JobId> {
  public JobId {
    Objects.requireNonNull(value);
    if (!Ulid.isValid(value)) {
      throw new IllegalArgumentException("not a job id: " + value);
    }
  }

  @Override
  public int compareTo(JobId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
