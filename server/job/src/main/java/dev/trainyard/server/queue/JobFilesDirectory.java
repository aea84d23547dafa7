package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Where the files of a job are kept that are not in its owner's home. */
public final class JobFilesDirectory {
  private JobFilesDirectory() {}

  static Path of(Path data, JobId job) {
    return data.resolve("jobs").resolve(job.value());
  }

  /** What it left in its output directory. */
  public static Path output(Path data, JobId job) {
    return of(data, job).resolve("output");
  }

  /** Deletes what a job saved; for jobs that are over. */
  public static Consumer<JobId> deletion(Path data, Consumer<Path> deleter) {
    return job -> deleter.accept(of(data, job));
  }
}
