package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;

/** A way to write down a job. A new format is one more of these, listed in {@link JobFiles}. */
interface JobFileFormat {
  JobFormat format();

  /** Whether a document is meant to be of this format, right or wrong. */
  boolean recognises(Located.Table document);

  /** The job. Where problems were told it is worth nothing, and nobody looks at it. */
  JobSpec read(Located.Table document, Problems problems);
}
