package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of parsing a job file: a job, or all problems of the file.
 *
 * @param format empty if the text is of no known format
 * @param spec present exactly if there are no problems; it refers to secrets by name only
 * @param warnings settings that are accepted but have no effect
 * @param text the file as it may be stored and shown, with its secrets masked; empty if there are
 *     problems
 * @param secrets the masked values
 */
public record ParsedJob(
    Optional<JobFormat> format,
    Optional<JobSpec> spec,
    List<Problem> problems,
    List<Problem> warnings,
    String text,
    Secrets secrets) {

  public ParsedJob {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  /** Returns a copy in which warnings with this code are problems. */
  public ParsedJob refusing(String code) {
    List<Problem> refused =
        warnings.stream().filter(warning -> warning.message().code().equals(code)).toList();
    if (refused.isEmpty()) {
      return this;
    }
    List<Problem> all = new ArrayList<>(problems);
    all.addAll(refused);
    return new ParsedJob(format, Optional.empty(), all, warnings, "", Secrets.NONE);
  }

  /** Returns the result for a file that starts with a byte order mark. */
  ParsedJob marked() {
    return new ParsedJob(
        format, spec, problems, warnings, JobFiles.BYTE_ORDER_MARK + text, secrets);
  }
}
