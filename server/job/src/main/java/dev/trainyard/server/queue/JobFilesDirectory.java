package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The directory for files of a job that are not in the home directory of the job's owner. */
public final class JobFilesDirectory {
  private JobFilesDirectory() {}

  static Path of(Path data, JobId job) {
    return data.resolve("jobs").resolve(job.value());
  }

  /** Returns the output directory of a job. */
  public static Path output(Path data, JobId job) {
    return of(data, job).resolve("output");
  }

  /** Returns a function that deletes the files of a finished job. */
  public static Consumer<JobId> deletion(Path data, Consumer<Path> deleter) {
    return job -> deleter.accept(of(data, job));
  }
}
