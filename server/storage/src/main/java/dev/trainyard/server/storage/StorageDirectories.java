package dev.trainyard.server.storage;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobId;
import dev.trainyard.server.config.UserData;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The paths of all directories with files of users: homes, datasets, the shared folder, storages
 * and the files of jobs. No other class constructs them. Names are validated where users, jobs and
 * storages are created; the methods reject an invalid name nevertheless.
 *
 * @param data the data directory of the server
 */
public record StorageDirectories(Path data) {
  private Path directory(UserData kind) {
    return data.resolve(kind.directoryName());
  }

  /** Returns the directory that contains the home of each user. */
  public Path homes() {
    return directory(UserData.HOMES);
  }

  public Path home(String user) {
    return child(homes(), user, "the user name " + user);
  }

  public Path datasets() {
    return directory(UserData.DATASETS);
  }

  /** Returns the folder that tasks of all users may write to. */
  public Path shared() {
    return directory(UserData.SHARED);
  }

  /** Returns the directory that contains a directory with the storages of each user. */
  Path userStorages() {
    return directory(UserData.STORAGES).resolve(UserData.USER_STORAGES);
  }

  /** Returns the directory of a storage that belongs to one user. */
  public Path userStorage(String user, String storage) {
    Path ownerDirectory = child(userStorages(), user, "the user name " + user);
    return child(ownerDirectory, storage, "the storage name " + storage);
  }

  /** Returns the directory of a storage that an administrator has configured. */
  public Path sharedStorage(String storage) {
    return child(
        directory(UserData.STORAGES).resolve(UserData.SHARED_STORAGES),
        storage,
        "the storage name " + storage);
  }

  /** Returns the directory for a volume of a job that is not in the home of the job's owner. */
  public Path jobVolume(JobId job, String name) {
    return job(job).resolve(name);
  }

  /** Returns the output directory of a job. */
  public Path output(JobId job) {
    return jobVolume(job, "output");
  }

  private Path job(JobId job) {
    return directory(UserData.JOBS).resolve(job.value());
  }

  /** Returns a function that deletes the files of a finished job. */
  public Consumer<JobId> jobDeletion(Consumer<Path> deleter) {
    return job -> deleter.accept(job(job));
  }

  private static Path child(Path parent, String name, String description) {
    Path child = parent.resolve(name).normalize();
    if (!parent.equals(child.getParent()) || !child.endsWith(name)) {
      throw new EngineException(description + " is invalid as a directory name");
    }
    return child;
  }
}
