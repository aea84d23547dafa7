package dev.trainyard.cli.team;

import dev.trainyard.cli.Session;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options for the limits of a user. */
public final class UserLimitOptions {
  @Option(names = "--running-jobs", paramLabel = "N", descriptionKey = "limit-running-jobs")
  private String runningJobs;

  @Option(names = "--cpus", paramLabel = "N", descriptionKey = "limit-cpus")
  private String cpus;

  @Option(names = "--memory", paramLabel = "SIZE", descriptionKey = "limit-memory")
  private String memory;

  @Option(names = "--devices", paramLabel = "N", descriptionKey = "limit-devices")
  private String devices;

  @Option(names = "--unfinished-jobs", paramLabel = "N", descriptionKey = "limit-unfinished-jobs")
  private String unfinishedJobs;

  @Option(names = "--unfinished-tasks", paramLabel = "N", descriptionKey = "limit-unfinished-tasks")
  private String unfinishedTasks;

  @Option(
      names = "--unfinished-files",
      paramLabel = "SIZE",
      descriptionKey = "limit-unfinished-files")
  private String unfinishedFiles;

  /** Returns the given limits as fields for the API. */
  public Map<String, Object> fields(Session session) {
    return new LimitParser(session, true)
        .addNumber("--running-jobs", "runningJobs", runningJobs)
        .addNumber("--cpus", "cpus", cpus)
        .addMemory("--memory", "memoryMB", memory)
        .addNumber("--devices", "devices", devices)
        .addNumber("--unfinished-jobs", "unfinishedJobs", unfinishedJobs)
        .addNumber("--unfinished-tasks", "unfinishedTasks", unfinishedTasks)
        .addMemory("--unfinished-files", "unfinishedFilesMB", unfinishedFiles)
        .fields();
  }
}
