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
 * @param format format of the file; empty if it is unknown
 * @param spec the job, present if and only if there are no problems; it refers to secrets by name
 *     only
 * @param warnings parts of the file that are accepted but may not have the expected effect
 * @param text the file with masked secrets, as it may be stored and shown; empty if there are
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

  /** Returns a copy that treats warnings with this code as problems. */
  public ParsedJob rejecting(String code) {
    List<Problem> newProblems =
        warnings.stream().filter(warning -> warning.message().code().equals(code)).toList();
    if (newProblems.isEmpty()) {
      return this;
    }
    List<Problem> allProblems = new ArrayList<>(problems);
    allProblems.addAll(newProblems);
    return new ParsedJob(format, Optional.empty(), allProblems, warnings, "", Secrets.NONE);
  }

  /** Returns the result for a file that starts with a byte order mark. */
  ParsedJob withByteOrderMark() {
    return new ParsedJob(
        format, spec, problems, warnings, JobFiles.BYTE_ORDER_MARK + text, secrets);
  }
}
