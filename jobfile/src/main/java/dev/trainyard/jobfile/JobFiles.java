package dev.trainyard.jobfile;

import java.util.List;
import java.util.Optional;

/** The way into this module: recognises a job file's format and reads it. */
public final class JobFiles {
  private JobFiles() {}

  public static ParsedJob parse(String text) {
    return new ParsedJob(Optional.empty(), Optional.empty(), List.of(), List.of());
  }
}
