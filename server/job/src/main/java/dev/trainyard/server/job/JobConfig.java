package dev.trainyard.server.job;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A job's file: as it was submitted and as it was understood.
 *
 * @param raw with its secrets masked; how it is shown says {@code JobFiles.shown}
 * @param warnings what the submitter was told
 */
public record JobConfig(String raw, JobSpec spec, List<Problem> warnings) {
  public JobConfig {
    warnings = List.copyOf(warnings);
  }

  /** Returns the size of a job file in bytes. */
  static long bytes(String raw) {
    return raw.getBytes(StandardCharsets.UTF_8).length;
  }
}
