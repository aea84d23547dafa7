package dev.trainyard.server.config;

/**
 * The directories of the data directory with files of users. {@code StorageDirectories} constructs
 * the paths below them.
 */
public enum UserData {
  /** A home for each user. */
  HOMES("home"),
  DATASETS("gdata"),
  /** The folder that tasks of all users may write to. */
  SHARED("gshare"),
  STORAGES("storages"),
  /** The output of jobs. */
  JOBS("jobs");

  /** The directory below {@link #STORAGES} with the own storages of each user. */
  public static final String USER_STORAGES = "users";

  /** The directory below {@link #STORAGES} with the storages that administrators configure. */
  public static final String SHARED_STORAGES = "shared";

  private final String directoryName;

  UserData(String directoryName) {
    this.directoryName = directoryName;
  }

  /** Returns the name of the directory in the data directory. */
  public String directoryName() {
    return directoryName;
  }
}
