package dev.trainyard.server.job;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The file of a job, as submitted and as parsed.
 *
 * @param raw the submitted file with its secrets masked; {@code JobFiles.textForOwner} defines how
 *     it is shown to users
 * @param warnings the warnings that the submission returned
 */
public record JobConfig(String raw, JobSpec spec, List<Problem> warnings) {
  public JobConfig {
    warnings = List.copyOf(warnings);
  }

  /**
   * Returns the size in bytes of a job's file or of its stored spec, whichever is larger. The spec
   * may be a hundred times larger, because it contains the expanded templates and aliases of the
   * file.
   */
  static long sizeInBytes(String raw, JobSpec spec) {
    return sizeInBytes(raw, StoredJson.write(spec));
  }

  /**
   * @param storedSpec the spec as it is stored
   */
  static long sizeInBytes(String raw, String storedSpec) {
    return Math.max(
        raw.getBytes(StandardCharsets.UTF_8).length,
        storedSpec.getBytes(StandardCharsets.UTF_8).length);
  }
}
