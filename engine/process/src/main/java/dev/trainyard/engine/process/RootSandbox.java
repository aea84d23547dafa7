package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DedicatedThread;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.InodeFallback;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.Mounts;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.UserNamespaces;
import dev.trainyard.engine.linux.VolumeSource;
import dev.trainyard.engine.process.SupervisorLauncher.Confinement;
import dev.trainyard.engine.process.SupervisorLauncher.TaskDescriptors;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox of a server that runs as root. Each platform user has a range of host IDs and a user
 * namespace for them. Each task has its own mount, PID, UTS and IPC namespaces, and a copy-on-write
 * view of the host's files.
 */
final class RootSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(RootSandbox.class);

  /** Capabilities that a task keeps inside its user namespace. */
  private static final String CAPABILITIES =
      "-all,+setuid,+setgid,+chown,+dac_override,+fowner,+kill,+net_bind_service";

  /** The numbers of {@link #CAPABILITIES}. */
  private static final List<Integer> CAPABILITY_NUMBERS = List.of(0, 1, 3, 5, 6, 7, 10);

  /** Maximum number of attempts to launch a task if the supervisors' parent process ends. */
  private static final int MAX_LAUNCH_ATTEMPTS = 10;

  private static final String MOUNT_NAMESPACE = "/proc/thread-self/ns/mnt";

  private static final String LAUNCH_SCRIPT =
      TaskRootPlan.PLATFORM_DIRECTORY + "/runtime.d/launch.sh";

  private final HostTools tools;
  private final SupervisorLauncher supervisorLauncher;
  private final Optional<PerlSupervisors> perlSupervisors;
  private final UserNamespaces userNamespaces;
  private final List<Path> fileSystems;
  private final Path mountDirectory;
  private final Layers layers;
  private final ProcessLimits processLimits = ProcessLimits.ofThisHost();

  private RootSandbox(
      Path data,
      HostTools tools,
      SupervisorLauncher supervisorLauncher,
      Optional<String> perl,
      List<Path> fileSystems)
      throws IOException {
    this.tools = tools;
    this.supervisorLauncher = supervisorLauncher;
    // The filter is computed in the background, because the server can start without it.
    CompletableFuture<byte[]> filter =
        CompletableFuture.supplyAsync(() -> TaskFilter.of(capabilityNames()));
    Path script = Scripts.unpack("supervise.pl", data.resolve("bin"));
    this.perlSupervisors = perl.map(program -> new PerlSupervisors(program, script, filter::join));
    this.userNamespaces = new UserNamespaces(tools::path);
    this.fileSystems = fileSystems;
    this.mountDirectory = data.resolve("mounts");
    this.layers = new Layers(data, fileSystems);
  }

  /**
   * Opens the sandbox and probes it, so that missing kernel features are reported when the server
   * starts and not when a user's task starts.
   *
   * @param data the real path of the data directory, which contains the engine's directories
   * @param perl path of perl; if it is empty, the supervisors are shell scripts
   * @throws IOException if this host or the server's account does not support the sandbox
   */
  static RootSandbox open(
      Path data, HostTools tools, SupervisorLauncher supervisorLauncher, Optional<String> perl)
      throws IOException {
    List<Path> fileSystems = MountTable.ofThisProcess().softwareFileSystems(data);
    RootSandbox sandbox = new RootSandbox(data, tools, supervisorLauncher, perl, fileSystems);
    sandbox.createMountPoints();
    sandbox.probe(data);
    return sandbox;
  }

  /**
   * Creates the mount points that every task uses in its own namespace; nothing is mounted there in
   * the host's namespace.
   */
  private void createMountPoints() throws IOException {
    Files.createDirectories(mountDirectory.resolve("root"));
    Files.createDirectories(mountDirectory.resolve("cell"));
    for (MountStep step : TaskRootPlan.hostFileSteps(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        for (String part : List.of("low", "seen")) {
          Files.createDirectories(mountDirectory.resolve(view.layer()).resolve(part));
        }
      }
    }
  }

  /**
   * Builds the root of a task as a test. A full disk is not an error, because the server must start
   * so that a user can stop the task that fills the disk; the root of each later task is checked
   * when that task starts.
   */
  private void probe(Path data) throws IOException {
    try {
      buildProbe(data);
    } catch (IOException e) {
      if (!InodeFallback.isFull(e, data.resolve(EngineEnvironment.TRASH))) {
        throw e;
      }
      LOG.warn("the disk of {} is full; the sandbox was not tested", data);
    }
  }

  private void buildProbe(Path data) throws IOException {
    // The directory is not below tasks, because the probe must not be listed as a task.
    Path probeDirectory = Files.createTempDirectory(data.resolve("trash"), "probe");
    TaskId probeId = new TaskId(new JobId("0".repeat(26)), 0, "probe", 0);
    TaskDirectory probe = new TaskDirectory(probeId, probeDirectory, mountDirectory);
    try {
      layers.create(probe, IdRange.unused(), Map.of());
      Path commonLayers = layers.commonLayers(IdRange.unused());
      DedicatedThread.run(
          () -> {
            int userNamespace = userNamespaces.of(IdRange.unused(), processLimits.perUser());
            enterNamespaces("probe");
            try (RootBuilder builder =
                new RootBuilder(
                    probe, IdRange.unused(), userNamespace, commonLayers, SecretFiles.NONE)) {
              builder.build(TaskRootPlan.hostFileSteps(fileSystems));
              builder.enterRoot();
            }
            return probe;
          });
    } finally {
      Trash.deleteTree(probeDirectory);
    }
  }

  @Override
  public void check(TaskSpec spec) {
    IdRange.of(spec.idRange());
  }

  @Override
  public void prepareVolume(Volume volume, int idRange) throws IOException {
    VolumeSource.prepare(volume, IdRange.of(idRange));
  }

  @Override
  public void create(TaskSpec spec, TaskDirectory task) throws IOException {
    IdRange ids = IdRange.of(spec.idRange());
    for (Volume volume : spec.volumes()) {
      VolumeSource.prepare(volume, ids);
    }
    for (String fifo : List.of("out", "err")) {
      // The FIFOs belong to the task's root user, so that `echo x > /dev/stderr` can reopen them.
      Linux.changeOwner(Linux.AT_FDCWD, task.file(fifo).toString(), ids.base(), ids.base());
    }
    layers.create(task, ids, Map.of("etc/hostname", spec.hostName() + "\n"));
  }

  @Override
  public void prepare(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, SecretFiles secrets)
      throws IOException {
    Sandbox.super.prepare(spec, task, environment, secrets);
    if (perlSupervisors.isPresent()) {
      writeEnvironment(spec, task, environment, LaunchScript.ScriptPaths.of(secrets).script());
    }
  }

  /**
   * Writes the file with which {@code run_task} of {@code supervise.pl} starts the script without a
   * shell.
   */
  private static void writeEnvironment(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, String script)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(Sandbox.initialDirectory(spec)).append('\0').append(script).append('\0');
    environment.forEach((name, value) -> text.append(name + "=" + value).append('\0'));
    Files.writeString(task.file("environment"), text);
  }

  @Override
  public PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return launchOnce(spec, task, groups, hosts, secrets);
      } catch (PerlSupervisors.ForkProcessEndedException e) {
        // No part of the task has run. The next attempt starts another parent process and rebuilds
        // the root.
        if (attempt == MAX_LAUNCH_ATTEMPTS) {
          throw e;
        }
        LOG.warn("the supervisors' parent process ended; retrying the start of task {}", task.id());
      }
    }
  }

  private PidFd launchOnce(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException {
    IdRange ids = IdRange.of(spec.idRange());
    Path commonLayers = layers.commonLayers(ids);
    layers.cleanWorkDirectories(task);
    layers.addFile(task, ids, "etc/hosts", hosts);
    List<MountStep> steps = TaskRootPlan.of(spec, fileSystems, task.platform());
    int userNamespace = userNamespaces.of(ids, processLimits.perUser());
    if (perlSupervisors.isPresent()) {
      perlSupervisors.get().begin();
    }
    return DedicatedThread.run(
        () -> {
          int serverMountNamespace = Linux.open(MOUNT_NAMESPACE, 0);
          try (RootBuilder builder =
                  new RootBuilder(task, ids, userNamespace, commonLayers, secrets);
              Pipe goPipe = Pipe.open()) {
            enterNamespaces(spec.hostName());
            builder.build(steps);
            PidFd supervisor =
                perlSupervisors.isPresent()
                    ? startPerlSupervisor(spec, task, groups, userNamespace, goPipe.readEnd())
                    : startShellSupervisor(
                        spec,
                        task,
                        groups,
                        serverMountNamespace,
                        userNamespace,
                        builder.root(),
                        goPipe.readEnd());
            // The PID namespace exists only after the supervisor was started. If the mount fails,
            // nothing is written to the pipe, and the supervisor exits without starting the task.
            boolean procMounted = builder.mountProc(supervisor.pid());
            builder.enterRoot();
            goPipe.write(procMounted ? "go\n" : "mount\n");
            return supervisor;
          } finally {
            Linux.close(serverMountNamespace);
          }
        });
  }

  @Override
  public boolean taskReceivesCommands() {
    return perlSupervisors.isEmpty();
  }

  private PidFd startPerlSupervisor(
      TaskSpec spec, TaskDirectory task, List<Path> groups, int userNamespace, int goDescriptor)
      throws IOException {
    Path root = RootBuilder.TASK_ROOT;
    SandboxEntry sandboxEntry =
        new SandboxEntry(root, CAPABILITY_NUMBERS, List.of(tools.path("sh"), LAUNCH_SCRIPT));
    return perlSupervisors
        .orElseThrow()
        .start(spec, task, groups, root.resolve("proc"), sandboxEntry, userNamespace, goDescriptor);
  }

  /**
   * Starts the supervisor in the server's mount namespace. Before and after the call, the thread is
   * in the task's mount namespace.
   *
   * @param serverMountNamespace descriptor of the server's mount namespace
   * @param root descriptor of the task's root directory
   */
  private PidFd startShellSupervisor(
      TaskSpec spec,
      TaskDirectory task,
      List<Path> groups,
      int serverMountNamespace,
      int userNamespace,
      int root,
      int goDescriptor)
      throws IOException {
    List<String> command = enterTaskCommand(List.of(tools.path("sh"), LAUNCH_SCRIPT));
    Path procDirectory = Path.of("/proc/self/fd/7/proc");
    int taskMountNamespace = Linux.open(MOUNT_NAMESPACE, 0);
    try {
      TaskDescriptors taskDescriptors =
          new TaskDescriptors(userNamespace, root, taskMountNamespace);
      Linux.enterNamespace(serverMountNamespace);
      Linux.unshare(Linux.NEW_PIDS);
      PidFd supervisor =
          supervisorLauncher.start(
              spec,
              task,
              groups,
              new Confinement(List.of(), command, procDirectory, taskDescriptors),
              goDescriptor);
      Linux.enterNamespace(taskMountNamespace);
      return supervisor;
    } finally {
      Linux.close(taskMountNamespace);
    }
  }

  private static Set<String> capabilityNames() {
    return Stream.of(CAPABILITIES.split(",", -1))
        .filter(name -> name.startsWith("+"))
        .map(name -> name.substring(1).toUpperCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  private static void enterNamespaces(String hostName) throws IOException {
    Linux.unshare(Linux.NEW_MOUNTS | Linux.NEW_HOST_NAME | Linux.NEW_IPC);
    Mounts.makeAllPrivate();
    Linux.joinNewKeyring();
    Linux.setHostName(hostName);
  }

  /**
   * Returns the command that enters the task from the host's root directory. First nsenter enters
   * the task's mount namespace, then it gives up all privileges outside the user namespace, and
   * only after that it changes the root directory. Thus the first program of the task's root, which
   * the task may have replaced, runs without privileges outside the user namespace. Then setpriv
   * drops the capabilities that a task does not need.
   */
  private List<String> enterTaskCommand(List<String> command) {
    String root = "/proc/self/fd/3";
    List<String> fullCommand =
        new ArrayList<>(
            List.of(
                tools.path("nsenter"),
                "--mount=/proc/self/fd/4",
                "--user=/proc/self/fd/9",
                "--root=" + root,
                // Otherwise nsenter would keep the working directory, which is outside the root.
                "--wd=" + root,
                tools.path("setpriv"),
                "--inh-caps=-all",
                "--bounding-set=" + CAPABILITIES));
    fullCommand.addAll(command);
    return fullCommand;
  }

  @Override
  public Optional<List<String>> pidNamespacePrefix(TaskDirectory.Supervisor supervisor) {
    return Optional.of(
        List.of(tools.path("nsenter"), "--target=" + supervisor.pid(), "--mount", "--pid"));
  }

  /** Reports no system call filter for the shell supervisor, which cannot install one. */
  @Override
  public Isolation isolation(boolean hasControlGroups) {
    return new Isolation(
        Level.PRIVATE,
        Level.PRIVATE,
        Level.NONE,
        hasControlGroups ? Level.PRIVATE : Level.NONE,
        perlSupervisors.isPresent() && TaskFilter.isSupported() ? Level.PRIVATE : Level.NONE);
  }

  @Override
  public void close() {
    perlSupervisors.ifPresent(PerlSupervisors::close);
    userNamespaces.close();
  }
}
