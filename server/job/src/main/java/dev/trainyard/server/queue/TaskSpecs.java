package dev.trainyard.server.queue;

import dev.trainyard.engine.TaskRights;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.StorageMount;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.plugin.PluginScripts;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Builds the engine's specification of a task from the job file, the job's owner and the task's
 * placement. Does not access the disk, except to create the directories of read-only storages and
 * to find build contexts.
 */
public final class TaskSpecs {
  static final String HOME = "/userhome";

  private final LogStore logs;
  private final TaskVolumes volumes;
  private final DataSize logLimit;
  private final StorageVolumes storages;
  private final Function<Job, Map<String, String>> platform;
  private final JobBuilds builds;

  /**
   * @param data the server's data directory
   * @param logLimit maximum size of each log stream of a task
   */
  public TaskSpecs(Path data, LogStore logs, DataSize logLimit) {
    this(data, logs, logLimit, _ -> Map.of(), JobBuilds.NONE);
  }

  /**
   * @param platform returns the variables with which a job's tasks reach the platform
   * @param builds provides the steps of jobs that build an image
   */
  public TaskSpecs(
      Path data,
      LogStore logs,
      DataSize logLimit,
      Function<Job, Map<String, String>> platform,
      JobBuilds builds) {
    this.logs = logs;
    this.volumes = new TaskVolumes(new StorageDirectories(data));
    this.logLimit = logLimit;
    this.storages = new StorageVolumes(new StorageDirectories(data));
    this.platform = platform;
    this.builds = builds;
  }

  /**
   * Prepares the part of the specification that all tasks of a job share.
   *
   * @param references maps an image name of the job file to the reference that the engine uses
   */
  JobTaskSpecs of(
      Job job,
      JobConfig config,
      User owner,
      List<Map.Entry<StorageMount, Boolean>> sharedStorages,
      UnaryOperator<String> references) {
    if (config.spec().extras().imageBuild()) {
      return ofBuild(job, config, owner, references);
    }
    TaskDirectories directories = TaskDirectories.of(job, config.spec());
    return new JobTaskSpecs(
        config,
        owner,
        references,
        Optional.of(new TaskEnvironment(job, config.spec(), directories, platform.apply(job))),
        Stream.concat(
                volumes.of(job.id(), owner, directories).stream(),
                storages.of(owner, config.spec().extras(), sharedStorages).stream())
            .toList(),
        files(config, directories),
        Optional.empty());
  }

  /**
   * Prepares the specification of an image build. A build can access the files of its build context
   * but no other files of its owner, and it has no token.
   */
  private JobTaskSpecs ofBuild(
      Job job, JobConfig config, User owner, UnaryOperator<String> references) {
    String image = references.apply(config.spec().image());
    JobBuilds.Steps steps = builds.steps(job, image);
    return new JobTaskSpecs(
        config,
        owner,
        references,
        Optional.empty(),
        List.of(new Volume(steps.context(), steps.target(), Volume.Access.READ_ONLY)),
        Map.of(),
        Optional.of(steps.script()));
  }

  /** The specifications of one job's tasks. */
  final class JobTaskSpecs {
    private final JobConfig config;
    private final User owner;
    private final UnaryOperator<String> references;
    private final Optional<TaskEnvironment> environment;
    private final List<Volume> jobVolumes;
    private final Optional<String> buildScript;
    private final Map<String, Map<String, String>> files = new HashMap<>();
    private final Map<String, RoleSpec> roles = new HashMap<>();

    private JobTaskSpecs(
        JobConfig config,
        User owner,
        UnaryOperator<String> references,
        Optional<TaskEnvironment> environment,
        List<Volume> jobVolumes,
        Map<String, String> files,
        Optional<String> buildScript) {
      this.config = config;
      this.owner = owner;
      this.references = references;
      this.environment = environment;
      this.jobVolumes = jobVolumes;
      this.buildScript = buildScript;
      for (RoleSpec role : config.spec().roles()) {
        roles.put(role.name(), role);
        this.files.put(role.name(), withPlugins(files, config.spec(), role));
      }
    }

    RoleSpec role(TaskId task) {
      return roles.get(task.role());
    }

    TaskSpec of(TaskId task, List<Integer> ports, List<Device> devices) {
      RoleSpec role = role(task);
      return new TaskSpec(
          task,
          owner.name(),
          owner.idRange(),
          HostNames.of(task),
          references.apply(config.spec().image(role)),
          buildScript.orElse(role.script()),
          environment.map(variables -> variables.of(task, role)).orElse(Map.of()),
          buildScript.isPresent() ? "/" : HOME,
          role.resources(),
          buildScript.isPresent() ? List.of() : ports,
          devices,
          jobVolumes,
          files.get(role.name()),
          logs.directory(task),
          logLimit,
          new TaskRights(config.spec().extras().capabilities(), buildScript.isPresent()));
    }
  }

  /**
   * Adds the plugin scripts of a role; scripts that contain secrets are added when the task starts.
   */
  private static Map<String, String> withPlugins(
      Map<String, String> files, JobSpec spec, RoleSpec role) {
    Map<String, String> pluginFiles =
        PluginScripts.of(spec, role, UnaryOperator.identity()).files();
    if (pluginFiles.isEmpty()) {
      return files;
    }
    Map<String, String> allFiles = new HashMap<>(files);
    allFiles.putAll(pluginFiles);
    return Map.copyOf(allFiles);
  }

  private static Map<String, String> files(JobConfig config, TaskDirectories directories) {
    Map<String, String> files = new HashMap<>();
    // Uses OpenPAI's name for the file. YAML parsers accept JSON, but programs choose the parser by
    // the extension.
    boolean isV1 = config.spec().format() == JobFormat.OPENPAI_V1;
    files.put("runtime.d/job_config." + (isV1 ? "json" : "yaml"), config.raw());
    String preparation = TaskVolumes.preparation(directories);
    if (!preparation.isEmpty()) {
      files.put("runtime.d/precommands.sh", preparation);
    }
    return Map.copyOf(files);
  }
}
