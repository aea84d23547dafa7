package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came out of a job file: a job, or everything that is wrong with it.
 *
 * @param format empty where the text is of no known format
 * @param spec present just when there are no problems; where it quotes a secret, it only names it
 * @param warnings what is accepted but not done, for the submitter to know
 * @param text the file as it may be stored and shown: its secrets are masked; empty where there are
 *     problems
 * @param secrets what was masked
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

  /** The same where a warning of this code is taken as a problem. */
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

  /** The same of a file that begins with a mark for the order of its bytes. */
  ParsedJob marked() {
    return new ParsedJob(
        format, spec, problems, warnings, JobFiles.BYTE_ORDER_MARK + text, secrets);
  }
}
