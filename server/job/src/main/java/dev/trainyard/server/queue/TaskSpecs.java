package dev.trainyard.server.queue;

import dev.trainyard.engine.TaskRights;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.Capability;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.StorageMount;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.plugin.JobKeys;
import dev.trainyard.server.plugin.PluginScripts;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What the engine is told to run for a task: the job file, its owner and the task's place, put
 * together. Touches nothing on disk.
 */
public final class TaskSpecs {
  static final String HOME = "/userhome";

  private final LogStore logs;
  private final TaskVolumes volumes;
  private final DataSize logLimit;
  private final StorageVolumes storages;
  private final Function<JobId, List<Map.Entry<StorageMount, Boolean>>> shared;
  private final Function<Job, Map<String, String>> platform;
  private final JobKeys keys;
  private final JobImages images;
  private final JobBuilds builds;
  private final BiFunction<User, JobSpec, List<Capability>> notGranted;
  private final ImageProgress progress = new ImageProgress();

  /**
   * @param data the server's data directory
   * @param logLimit of each stream of a task
   */
  public TaskSpecs(Path data, LogStore logs, DataSize logLimit) {
    this(
        data,
        logs,
        logLimit,
        _ -> List.of(),
        _ -> Map.of(),
        JobImages.NONE,
        JobBuilds.NONE,
        (_, _) -> List.of());
  }

  /**
   * @param shared the shared storages of a job, each with whether it may only be read
   * @param platform variables that tell a job's tasks how to reach the platform
   * @param images fetches the images that are not there
   * @param builds knows what those jobs do that build an image
   * @param notGranted which of the capabilities that a job asks for its owner may not have now
   */
  public TaskSpecs(
      Path data,
      LogStore logs,
      DataSize logLimit,
      Function<JobId, List<Map.Entry<StorageMount, Boolean>>> shared,
      Function<Job, Map<String, String>> platform,
      JobImages images,
      JobBuilds builds,
      BiFunction<User, JobSpec, List<Capability>> notGranted) {
    this.logs = logs;
    this.volumes = new TaskVolumes(data);
    this.logLimit = logLimit;
    this.storages = new StorageVolumes(data);
    this.shared = shared;
    this.platform = platform;
    this.keys = new JobKeys(data);
    this.images = images;
    this.builds = builds;
    this.notGranted = notGranted;
  }

  /** Which of the capabilities that a job asks for may not be given now; asks the database. */
  List<Capability> notGranted(User owner, JobSpec spec) {
    return notGranted.apply(owner, spec);
  }

  JobBuilds builds() {
    return builds;
  }

  JobImages images() {
    return images;
  }

  ImageProgress progress() {
    return progress;
  }

  JobKeys keys() {
    return keys;
  }

  /** Where the tasks write what they print. */
  LogStore logs() {
    return logs;
  }

  /** The shared storages of a job, each with whether it may only be read; asks the database. */
  List<Map.Entry<StorageMount, Boolean>> shared(JobId job) {
    return shared.apply(job);
  }

  /**
   * The part that all tasks of a job share, made once.
   *
   * @param references what the engine is told for what the file says
   */
  OfJob of(
      Job job,
      JobConfig config,
      User owner,
      List<Map.Entry<StorageMount, Boolean>> sharedStorages,
      UnaryOperator<String> references) {
    if (config.spec().extras().imageBuild()) {
      return ofBuild(job, config, owner, references);
    }
    TaskDirectories directories = TaskDirectories.of(job, config.spec());
    return new OfJob(
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

  /** A build sees nothing of its owner's but what was sent with it, and knows no token. */
  private OfJob ofBuild(Job job, JobConfig config, User owner, UnaryOperator<String> references) {
    String image = references.apply(config.spec().image());
    JobBuilds.Steps steps = builds.steps(job, image);
    return new OfJob(
        config,
        owner,
        references,
        Optional.empty(),
        List.of(new Volume(steps.context(), steps.target(), Volume.Access.READ_ONLY)),
        Map.of(),
        Optional.of(steps.script()));
  }

  /** The specs of one job's tasks. */
  final class OfJob {
    private final JobConfig config;
    private final User owner;
    private final UnaryOperator<String> references;
    private final Optional<TaskEnvironment> environment;
    private final List<Volume> itsVolumes;
    private final Optional<String> buildScript;
    private final Map<String, Map<String, String>> files = new HashMap<>();
    private final Map<String, RoleSpec> roles = new HashMap<>();

    private OfJob(
        JobConfig config,
        User owner,
        UnaryOperator<String> references,
        Optional<TaskEnvironment> environment,
        List<Volume> itsVolumes,
        Map<String, String> files,
        Optional<String> buildScript) {
      this.config = config;
      this.owner = owner;
      this.references = references;
      this.environment = environment;
      this.itsVolumes = itsVolumes;
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
          buildScript.orElse(role.command()),
          environment.map(of -> of.of(task, role)).orElse(Map.of()),
          buildScript.isPresent() ? "/" : HOME,
          role.resources(),
          buildScript.isPresent() ? List.of() : ports,
          devices,
          itsVolumes,
          files.get(role.name()),
          logs.directory(task),
          logLimit,
          new TaskRights(config.spec().extras().capabilities(), buildScript.isPresent()));
    }
  }

  /** What quotes a secret comes when the task starts. */
  private static Map<String, String> withPlugins(
      Map<String, String> files, JobSpec spec, RoleSpec role) {
    Map<String, String> own = PluginScripts.of(spec, role, UnaryOperator.identity()).files();
    if (own.isEmpty()) {
      return files;
    }
    Map<String, String> all = new HashMap<>(files);
    all.putAll(own);
    return Map.copyOf(all);
  }

  private static Map<String, String> files(JobConfig config, TaskDirectories directories) {
    Map<String, String> files = new HashMap<>();
    // Under the name OpenPAI gives it; YAML reads JSON, but programs go by the name.
    boolean isV1 = config.spec().format() == JobFormat.OPENPAI_V1;
    files.put("runtime.d/job_config." + (isV1 ? "json" : "yaml"), config.raw());
    String preparation = TaskVolumes.preparation(directories);
    if (!preparation.isEmpty()) {
      files.put("runtime.d/precommands.sh", preparation);
    }
    return Map.copyOf(files);
  }
}
