package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskPath;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.storage.StorageDirectories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * The location of the output of a job.
 *
 * @param root a directory whose location only the server determines
 * @param directory the output directory beneath the root, as named in the job file; empty for the
 *     root itself
 */
public record SavedOutput(Path root, String directory) {
  /**
   * Returns the location of the output. If the job has no directory of its own because its job file
   * names a directory below {@code /userhome}, the location is that directory in the home directory
   * of the owner. Otherwise, it is the job's own directory.
   *
   * @param spec loads the specification of a job; used only if the job has no directory of its own
   */
  public static SavedOutput of(
      StorageDirectories directories, Job job, Function<Job, JobSpec> spec) {
    Path ownDirectory = directories.output(job.id());
    if (Files.isDirectory(ownDirectory)) {
      return new SavedOutput(ownDirectory, "");
    }
    Optional<String> belowHome =
        TaskPath.belowHome(TaskDirectories.of(job, spec.apply(job)).output());
    return belowHome
        .map(path -> new SavedOutput(directories.home(job.userName()), path))
        .orElse(new SavedOutput(ownDirectory, ""));
  }

  /** Returns whether all files of the root belong to the output of the job. */
  public boolean isOwnDirectory() {
    return directory.isEmpty();
  }
}
