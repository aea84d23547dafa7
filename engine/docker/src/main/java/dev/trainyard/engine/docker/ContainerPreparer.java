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
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LocalNode;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.ShellVariables;
import dev.trainyard.model.Isolation;
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

  /** The variables as shell export statements. */
  private static final String EXPORTS = "runtime.d/runtime_env.sh";

  private final DockerClient docker;
  private final Labels labels;
  private final DockerTaskDirectories places;
  private final PrivilegedOperations root;
  private final TaskFiles files;
  private final VolumeMounts volumes;
  private final SecretDirectory secrets;
  private final ImageUsers users;
  private final Container container;
  private final Node node;
  private final String architecture;
  private final boolean podman;
  private final Path init;
  private final DeduplicatedFiles texts = new DeduplicatedFiles();

  private ContainerPreparer(DockerEngineConfig config) throws IOException {
    docker = config.connection().client();
    architecture = config.connection().version().getArch();
    podman = config.connection().isPodman();
    Path data = config.dataDirectory().toAbsolutePath().normalize();
    Files.createDirectories(data.resolve("docker"));
    // The kernel reports mounts by their real path.
    Path place = data.toRealPath().resolve("docker");
    Linux.changeMode(place.toString(), 0700);
    labels = Labels.claim(place);
    places = DockerTaskDirectories.open(place.resolve("tasks"));
    init = InitProgram.unpack(architecture, place.resolve("bin"));
    ServerAccount server = ServerAccount.own();
    HostPrograms hostPrograms = new HostPrograms(config.toolPath());
    secrets = new SecretDirectory(labels.server());
    users = new ImageUsers(docker);
    root =
        server.isRoot()
            ? new LocalPrivilegedOperations(hostPrograms, server)
            : new RootHelper(
                new RootHelperContainer(
                    config.connection(), labels, place.getParent(), server, hostPrograms),
                data);
    files = new TaskFiles(root, server);
    try {
      root.blockLinkLocal(config.networks(), podman);
      volumes = new VolumeMounts(place.resolve("mounts"), root, server);
    } catch (IOException | RuntimeException e) {
      root.close();
      throw e;
    }
    Info info = docker.infoCmd().exec();
    ContainerFilter filter =
        ContainerFilter.of(info, podman ? Optional.of(place.resolve("bin")) : Optional.empty());
    Isolation isolation =
        new Isolation(
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            filter.isSupported() ? Isolation.Level.PRIVATE : Isolation.Level.NONE);
    Node found = LocalNode.describe(config.capacity(), config.toolPath(), isolation);
    node =
        new Node(
            found.name(),
            found.cpus(),
            found.memory(),
            found.devices(),
            Map.of("arch", architecture),
            isolation);
    container =
        new Container(
            config,
            labels,
            volumes,
            secrets,
            RightsGrant.of(info, filter),
            Runtime.getRuntime().availableProcessors());
  }

  /**
   * @throws EngineException if this host cannot run tasks, with the remedy
   */
  static ContainerPreparer open(DockerEngineConfig config) {
    try {
      requirePlainIds(config.connection());
      requireRoot(config.connection());
      return new ContainerPreparer(config);
    } catch (IOException e) {
      throw new EngineException("failed to initialize the Docker engine: " + e.getMessage(), e);
    }
  }

  /** Rejects an engine that remaps user IDs, because they would be mapped twice. */
  private static void requirePlainIds(DockerConnection connection) {
    if (connection.movesIds()) {
      throw new EngineException(
          "this engine remaps the user IDs of containers (userns-remap or rootless), which is not"
              + " supported: disable it, or use --engine process");
    }
  }

  /** Rejects Podman without root, because the root helper has not been verified with Podman. */
  private static void requireRoot(DockerConnection connection) throws IOException {
    if (connection.isPodman() && !ServerAccount.own().isRoot()) {
      throw new EngineException(
          "Podman requires a server that runs as root: run it as root, or use Docker or"
              + " --engine process");
    }
  }

  Labels labels() {
    return labels;
  }

  DockerTaskDirectories places() {
    return places;
  }

  SecretDirectory secrets() {
    return secrets;
  }

  PrivilegedOperations root() {
    return root;
  }

  TaskFiles files() {
    return files;
  }

  VolumeMounts volumes() {
    return volumes;
  }

  Node node() {
    return node;
  }

  /** Creates everything including the container, which is not started. */
  StoredTask make(TaskSpec spec, DockerTaskDirectory task, Networks.Address at) throws IOException {
    List<String> targets = spec.volumes().stream().map(Volume::target).toList();
    LocalImage image = LocalImage.load(docker, spec.image(), architecture, targets);
    if (podman) {
      DeviceGrant.requireFilesOnly(spec.devices());
    }
    Linux.makeDirectory(Linux.AT_FDCWD, task.path().toString(), 0700);
    makeFiles(spec, task);
    volumes.make(spec.id(), spec.idRange(), spec.volumes());
    secrets.make(spec.id());
    String id;
    try {
      id = container.command(docker, spec, task, image, at).exec().getId();
    } catch (DockerException e) {
      throw DockerProblem.of(e).exception("failed to create the task's container", e);
    }
    ImageUser user = spec.rights().root() ? ImageUser.ROOT : users.of(image, id);
    volumes.mount(spec.id(), spec.idRange(), user, spec.volumes());
    StoredTask stored =
        new StoredTask(spec, at.network(), at.address(), user, image.workingDirectoryFor(spec));
    stored.write(task);
    return stored;
  }

  private void makeFiles(TaskSpec spec, DockerTaskDirectory task) throws IOException {
    PlatformFiles.make(spec, task.platform());
    PlatformFiles.makeReadable(task.platform().resolve(Container.INIT_DIRECTORY));
    // A hard link to one file for all tasks, which cannot write to it.
    Files.createLink(task.forInit("init"), init);
    PlatformFiles.makeLogDirectory(spec.logDirectory());
    for (LogStream stream : LogStream.values()) {
      Files.createFile(task.forInit(stream.fileName()));
      makeWritable(spec.logDirectory().resolve(stream.fileName()));
    }
    Files.createFile(task.forInit("end"));
    makeWritable(task.file("end"));
    // Reserves the space, so that writing the end needs no additional block on a full disk.
    Files.writeString(task.file("end"), ".".repeat(EndRecord.LONGEST));
    makeWritable(task.file("hosts"));
    Linux.changeMode(task.file("hosts").toString(), 0644);
  }

  /**
   * Makes a file writable by every user that an image may have; the parent directory keeps all
   * others out.
   */
  private static void makeWritable(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    Linux.changeMode(file.toString(), 0666);
  }

  void check(StoredTask stored, TaskStart late) {
    PlatformFiles.checkFiles(late.files());
    ShellVariables.check(late.environment());
    HostsFile.of(stored.spec().hostName(), stored.address(), late.hosts());
  }

  /** Prepares what is known only at the start, or what was lost in a restart of the host. */
  void prepare(StoredTask stored, DockerTaskDirectory task, TaskStart late) throws IOException {
    TaskSpec spec = stored.spec();
    Map<String, String> environment = new TreeMap<>(spec.environment());
    if (stored.workingDirectory() != null) {
      environment.putIfAbsent("PAI_WORK_DIR", stored.workingDirectory());
    }
    environment.putAll(late.environment());
    environment.putAll(DeviceGrant.variables(spec.devices()));
    String ours = Container.INIT_DIRECTORY + "/environment";
    PlatformFiles.write(task.platform(), ours, Container.variables(environment));
    PlatformFiles.write(task.platform(), EXPORTS, ShellVariables.exports(environment));
    for (var file : late.files().entrySet()) {
      texts.write(task.platform(), file.getKey(), file.getValue());
    }
    // Written in place, because the container has exactly this file mounted.
    String hosts = HostsFile.of(spec.hostName(), stored.address(), late.hosts());
    Files.writeString(task.file("hosts"), hosts);
    secrets.fill(spec.id(), late.secrets());
    volumes.make(spec.id(), spec.idRange(), spec.volumes());
    volumes.mount(spec.id(), spec.idRange(), stored.users(), spec.volumes());
  }

  /**
   * Returns whether everything that was prepared for the start still exists, whichever server
   * process prepared it.
   */
  boolean isPrepared(StoredTask stored) throws IOException {
    TaskId task = stored.spec().id();
    return Files.isDirectory(secrets.of(task)) && volumes.areMounted(task, stored.spec().volumes());
  }

  /** Cleans up after a task whose container is gone. */
  void remove(DockerTaskDirectory task) throws IOException {
    volumes.remove(task.id());
    secrets.remove(task.id());
    Files.deleteIfExists(task.file("spec.json"));
    TreeDeleter.delete(task.path());
  }

  @Override
  public void close() {
    volumes.close();
    root.close();
    try {
      secrets.removeIfEmpty();
    } catch (IOException e) {
      LOG.debug("failed to delete the directory for secrets", e);
    }
  }
}
