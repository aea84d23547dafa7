package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DeduplicatedFiles;
import dev.trainyard.engine.linux.HostsFile;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LocalNode;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.ShellVariables;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates everything that a task needs before it runs: its directory, its mounts, its container.
 */
final class ContainerPreparer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerPreparer.class);

  /** File with the variables as shell export statements, in the platform's directory. */
  private static final String EXPORTS_FILE = "runtime.d/runtime_env.sh";

  private final DockerClient docker;
  private final Labels labels;
  private final DockerTaskDirectories taskDirectories;
  private final PrivilegedOperations privilegedOperations;
  private final TaskFiles taskFiles;
  private final VolumeMounts volumeMounts;
  private final SecretDirectory secretDirectory;
  private final ImageUsers imageUsers;
  private final ContainerSpecBuilder containerSpecBuilder;
  private final Node node;
  private final List<Message> warnings;
  private final String architecture;
  private final boolean podman;
  private final Path initProgram;
  private final DeduplicatedFiles deduplicatedFiles = new DeduplicatedFiles();

  private ContainerPreparer(DockerEngineConfig config) throws IOException {
    docker = config.connection().client();
    architecture = config.connection().version().getArch();
    podman = config.connection().isPodman();
    Path dataDirectory = config.dataDirectory().toAbsolutePath().normalize();
    Files.createDirectories(dataDirectory.resolve("docker"));
    // The kernel reports mounts by their real path.
    Path engineDirectory = dataDirectory.toRealPath().resolve("docker");
    Linux.changeMode(engineDirectory.toString(), 0700);
    labels = Labels.claim(engineDirectory);
    taskDirectories = DockerTaskDirectories.open(engineDirectory.resolve("tasks"));
    initProgram = InitProgram.unpack(architecture, engineDirectory.resolve("bin"));
    ServerAccount server = ServerAccount.current();
    HostPrograms hostPrograms = new HostPrograms(config.toolPath());
    secretDirectory = new SecretDirectory(labels.serverId());
    imageUsers = new ImageUsers(docker);
    privilegedOperations =
        server.isRoot()
            ? new LocalPrivilegedOperations(hostPrograms, server)
            : new RootHelper(
                new RootHelperContainer(
                    config.connection(), labels, engineDirectory.getParent(), server, hostPrograms),
                dataDirectory);
    taskFiles = new TaskFiles(privilegedOperations, server);
    try {
      privilegedOperations.blockMetadataServices(config.networks(), podman);
      volumeMounts =
          new VolumeMounts(engineDirectory.resolve("mounts"), privilegedOperations, server);
    } catch (IOException | RuntimeException e) {
      privilegedOperations.close();
      throw e;
    }
    Info info = docker.infoCmd().exec();
    ContainerFilter filter =
        ContainerFilter.of(
            info, podman ? Optional.of(engineDirectory.resolve("bin")) : Optional.empty());
    Isolation isolation =
        new Isolation(
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            filter.isSupported() ? Isolation.Level.PRIVATE : Isolation.Level.NONE);
    var description = LocalNode.describe(config.capacity(), config.toolPath(), isolation);
    node = withArchitecture(description.node());
    warnings = description.warnings();
    containerSpecBuilder =
        new ContainerSpecBuilder(
            config,
            labels,
            volumeMounts,
            secretDirectory,
            RightsGrant.of(info, filter),
            Runtime.getRuntime().availableProcessors());
  }

  /** Describes this host with the architecture of the engine, which runs the containers. */
  private Node withArchitecture(Node hostNode) {
    return new Node(
        hostNode.name(),
        hostNode.cpus(),
        hostNode.memory(),
        hostNode.devices(),
        Map.of("arch", architecture),
        hostNode.isolation());
  }

  /**
   * @throws EngineException if this host cannot run tasks; the message contains the remedy
   */
  static ContainerPreparer open(DockerEngineConfig config) {
    try {
      rejectRemappedIds(config.connection());
      requireRootForPodman(config.connection());
      return new ContainerPreparer(config);
    } catch (IOException e) {
      throw new EngineException("failed to initialize the Docker engine: " + e.getMessage(), e);
    }
  }

  /** Rejects an engine that remaps user IDs, because the IDs would be mapped twice. */
  private static void rejectRemappedIds(DockerConnection connection) {
    if (connection.remapsUserIds()) {
      throw new EngineException(
          "this engine remaps the user IDs of containers (userns-remap or rootless), which is not"
              + " supported: disable it, or use --engine process");
    }
  }

  /** Rejects Podman without root, because the root helper has not been verified with Podman. */
  private static void requireRootForPodman(DockerConnection connection) throws IOException {
    if (connection.isPodman() && !ServerAccount.current().isRoot()) {
      throw new EngineException(
          "Podman requires a server that runs as root: run it as root, or use Docker or"
              + " --engine process");
    }
  }

  Labels labels() {
    return labels;
  }

  DockerTaskDirectories taskDirectories() {
    return taskDirectories;
  }

  SecretDirectory secretDirectory() {
    return secretDirectory;
  }

  PrivilegedOperations privilegedOperations() {
    return privilegedOperations;
  }

  TaskFiles taskFiles() {
    return taskFiles;
  }

  /** Creates the directory of a volume with the owner that tasks of a user need. */
  void prepareVolume(Volume volume, int idRange) {
    try {
      volumeMounts.prepareSource(volume, IdRange.of(idRange));
    } catch (IOException e) {
      throw new EngineException("failed to prepare the volume: " + e.getMessage(), e);
    }
  }

  /** Gives the server access to the files of tasks in a directory. */
  void makeTreeReadable(Path tree) {
    try {
      privilegedOperations().makeTreeReadable(tree);
    } catch (IOException e) {
      throw new EngineException("failed to access the files: " + e.getMessage(), e);
    }
  }

  /** Deletes a directory with files of tasks. */
  void deleteTree(Path tree) {
    try {
      privilegedOperations().deleteTree(tree);
    } catch (IOException e) {
      throw new EngineException("failed to delete the files: " + e.getMessage(), e);
    }
  }

  VolumeMounts volumeMounts() {
    return volumeMounts;
  }

  /** Returns the reasons why devices could not be discovered. */
  List<Message> warnings() {
    return warnings;
  }

  Node node() {
    return node;
  }

  /** Creates everything that the task needs, including its container, which is not started. */
  StoredTask create(TaskSpec spec, DockerTaskDirectory task, Networks.Address taskAddress)
      throws IOException {
    List<String> targets = spec.volumes().stream().map(Volume::target).toList();
    LocalImage image = LocalImage.load(docker, spec.image(), architecture, targets);
    if (podman) {
      DeviceGrant.rejectNvidia(spec.devices());
    }
    Linux.createDirectory(Linux.AT_FDCWD, task.path().toString(), 0700);
    createFiles(spec, task);
    volumeMounts.createMountPoints(spec.id(), spec.idRange(), spec.volumes());
    secretDirectory.create(spec.id());
    String containerId;
    try {
      containerId =
          containerSpecBuilder.build(docker, spec, task, image, taskAddress).exec().getId();
    } catch (DockerException e) {
      throw DockerProblem.of(e).toException("failed to create the task's container", e);
    }
    ImageUser user = spec.rights().root() ? ImageUser.ROOT : imageUsers.of(image, containerId);
    volumeMounts.mount(spec.id(), spec.idRange(), user, spec.volumes());
    StoredTask stored =
        new StoredTask(
            spec,
            taskAddress.network(),
            taskAddress.address(),
            user,
            image.workingDirectoryFor(spec));
    stored.write(task);
    return stored;
  }

  private void createFiles(TaskSpec spec, DockerTaskDirectory task) throws IOException {
    PlatformFiles.create(spec, task.platform());
    PlatformFiles.createReadableDirectory(
        task.platform().resolve(ContainerSpecBuilder.INIT_DIRECTORY));
    // All tasks have a hard link to the same file, to which they cannot write.
    Files.createLink(task.initFile("init"), initProgram);
    PlatformFiles.createLogDirectory(spec.logDirectory());
    for (LogStream stream : LogStream.values()) {
      Files.createFile(task.initFile(stream.fileName()));
      makeWritable(spec.logDirectory().resolve(stream.fileName()));
    }
    Files.createFile(task.initFile("end"));
    makeWritable(task.file("end"));
    // Reserves the space so that the end record can be written without allocating a block on a full
    // disk.
    Files.writeString(task.file("end"), ".".repeat(EndRecord.MAX_BYTES));
    makeWritable(task.file("hosts"));
    Linux.changeMode(task.file("hosts").toString(), 0644);
  }

  /**
   * Creates the file if it does not exist, and makes it writable for every user that an image may
   * specify. Other users of the host cannot reach it, because of the permissions of a parent
   * directory.
   */
  private static void makeWritable(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    Linux.changeMode(file.toString(), 0666);
  }

  /**
   * @throws EngineException if the task cannot be started with these files, variables or hosts
   */
  void check(StoredTask stored, TaskStart taskStart) {
    PlatformFiles.checkFiles(taskStart.files());
    ShellVariables.check(taskStart.environment());
    HostsFile.of(stored.spec().hostName(), stored.address(), taskStart.hosts());
  }

  /**
   * Writes the files whose contents are known only at the start, and remounts volumes whose mounts
   * were lost when the host restarted.
   */
  void prepare(StoredTask stored, DockerTaskDirectory task, TaskStart taskStart)
      throws IOException {
    TaskSpec spec = stored.spec();
    Map<String, String> environment = new TreeMap<>(spec.environment());
    if (stored.workingDirectory() != null) {
      environment.putIfAbsent("PAI_WORK_DIR", stored.workingDirectory());
    }
    environment.putAll(taskStart.environment());
    environment.putAll(DeviceGrant.variables(spec.devices()));
    String environmentFile = ContainerSpecBuilder.INIT_DIRECTORY + "/environment";
    PlatformFiles.write(
        task.platform(), environmentFile, ContainerSpecBuilder.formatVariables(environment));
    PlatformFiles.write(task.platform(), EXPORTS_FILE, ShellVariables.exports(environment));
    for (var file : taskStart.files().entrySet()) {
      deduplicatedFiles.write(task.platform(), file.getKey(), file.getValue());
    }
    // The file is overwritten, not replaced, because exactly this file is mounted in the container.
    String hosts = HostsFile.of(spec.hostName(), stored.address(), taskStart.hosts());
    Files.writeString(task.file("hosts"), hosts);
    secretDirectory.write(spec.id(), taskStart.secrets());
    volumeMounts.createMountPoints(spec.id(), spec.idRange(), spec.volumes());
    volumeMounts.mount(spec.id(), spec.idRange(), stored.users(), spec.volumes());
  }

  /**
   * Returns whether everything that was prepared for the start still exists, whichever server
   * process prepared it.
   */
  boolean isPrepared(StoredTask stored) throws IOException {
    TaskId task = stored.spec().id();
    return Files.isDirectory(secretDirectory.taskDirectory(task))
        && volumeMounts.areMounted(task, stored.spec().volumes());
  }

  /** Cleans up after a task whose container no longer exists. */
  void remove(DockerTaskDirectory task) throws IOException {
    volumeMounts.remove(task.id());
    secretDirectory.remove(task.id());
    Files.deleteIfExists(task.file("spec.json"));
    TreeDeleter.delete(task.path());
  }

  @Override
  public void close() {
    volumeMounts.close();
    privilegedOperations.close();
    try {
      secretDirectory.removeIfEmpty();
    } catch (IOException e) {
      LOG.debug("failed to delete the directory for secrets", e);
    }
  }
}
