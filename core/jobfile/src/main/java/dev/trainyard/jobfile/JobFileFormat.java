package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;

/** A job-file format. To add a format, implement this interface and add it to {@link JobFiles}. */
interface JobFileFormat {
  JobFormat format();

  /** Returns whether a document, which may be invalid, is meant to be of this format. */
  boolean recognizes(DocumentValue.Table document);

  /** Returns the job. If problems were reported, the result must not be used. */
  JobSpec read(DocumentValue.Table document, Problems problems);
}
