package dev.trainyard.server.job;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The file of a job: as submitted, and as parsed.
 *
 * @param raw the submitted file with its secrets masked; {@code JobFiles.shown} defines how it is
 *     shown to users
 * @param warnings the warnings that the submission returned
 */
public record JobConfig(String raw, JobSpec spec, List<Problem> warnings) {
  public JobConfig {
    warnings = List.copyOf(warnings);
  }

  /** Returns the size of a job file in bytes. */
  static long sizeInBytes(String raw) {
    return raw.getBytes(StandardCharsets.UTF_8).length;
  }
}
