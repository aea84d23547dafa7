package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DedicatedThread;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.Mounts;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.UserNamespaces;
import dev.trainyard.engine.linux.VolumeSource;
import dev.trainyard.engine.process.SupervisorLauncher.Confinement;
import dev.trainyard.engine.process.SupervisorLauncher.Inside;
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

  /** The capabilities inside its user namespace that a task keeps. */
  private static final String CAPABILITIES =
      "-all,+setuid,+setgid,+chown,+dac_override,+fowner,+kill,+net_bind_service";

  /** The numbers of {@link #CAPABILITIES}. */
  private static final List<Integer> CAPABILITY_NUMBERS = List.of(0, 1, 3, 5, 6, 7, 10);

  /** Maximum number of launches of a task after the supervisors' parent process was killed. */
  private static final int ATTEMPTS = 10;

  private static final String MOUNT_NAMESPACE = "/proc/thread-self/ns/mnt";

  private static final String LAUNCH = RootPlan.PLATFORM_DIRECTORY + "/runtime.d/launch.sh";

  private final HostTools tools;
  private final SupervisorLauncher supervisorLauncher;
  private final Optional<PerlSupervisors> perl;
  private final UserNamespaces userNamespaces;
  private final List<Path> fileSystems;
  private final Path mounts;
  private final Layers layers;
  private final ProcessLimits limits = ProcessLimits.ofThisMachine();

  private RootSandbox(
      Path data,
      HostTools tools,
      SupervisorLauncher supervisorLauncher,
      Optional<String> perl,
      List<Path> systems)
      throws IOException {
    this.tools = tools;
    this.supervisorLauncher = supervisorLauncher;
    // In the background, because the start of the server does not depend on it.
    CompletableFuture<byte[]> filter =
        CompletableFuture.supplyAsync(() -> TaskFilter.of(capabilityNames()));
    Path script = Scripts.unpack("supervise.pl", data.resolve("bin"));
    this.perl = perl.map(program -> new PerlSupervisors(program, script, filter::join));
    this.userNamespaces = new UserNamespaces(tools::path);
    this.fileSystems = systems;
    this.mounts = data.resolve("mounts");
    this.layers = new Layers(data, systems);
  }

  /**
   * Opens the sandbox and probes it, so that missing kernel features are reported now and not to a
   * user.
   *
   * @param data the real path of the data directory, which contains the engine's directories
   * @param perl the program for the supervisors, if available; otherwise they are shell scripts
   * @throws IOException if this host or the server's account does not support it
   */
  static RootSandbox open(
      Path data, HostTools tools, SupervisorLauncher supervisorLauncher, Optional<String> perl)
      throws IOException {
    List<Path> fileSystems = MountTable.ofThisProcess().software(data);
    RootSandbox sandbox = new RootSandbox(data, tools, supervisorLauncher, perl, fileSystems);
    sandbox.makeMountPoints();
    sandbox.tryOut(data);
    return sandbox;
  }

  /**
   * Creates the mount points that every task uses in its own namespace; nothing is mounted there in
   * the host's namespace.
   */
  private void makeMountPoints() throws IOException {
    Files.createDirectories(mounts.resolve("root"));
    Files.createDirectories(mounts.resolve("cell"));
    for (MountStep step : RootPlan.views(fileSystems)) {
      if (step instanceof MountStep.CopyOnWrite view) {
        for (String part : List.of("low", "seen")) {
          Files.createDirectories(mounts.resolve(view.layer()).resolve(part));
        }
      }
    }
  }

  private void tryOut(Path data) throws IOException {
    // Not among the tasks, because it must not be listed.
    Path place = Files.createTempDirectory(data.resolve("trash"), "probe");
    TaskId probeId = new TaskId(new JobId("0".repeat(26)), 0, "probe", 0);
    TaskDirectory probe = new TaskDirectory(probeId, place, mounts);
    try {
      layers.make(probe, IdRange.spare(), Map.of());
      Path common = layers.common(IdRange.spare());
      DedicatedThread.run(
          () -> {
            int userNamespace = userNamespaces.of(IdRange.spare(), limits.perUser());
            enterNamespaces("probe");
            try (RootBuilder builder =
                new RootBuilder(probe, IdRange.spare(), userNamespace, common, SecretFiles.NONE)) {
              builder.build(RootPlan.views(fileSystems));
              builder.leaveMachine();
            }
            return probe;
          });
    } finally {
      Trash.deleteTree(place);
    }
  }

  @Override
  public void check(TaskSpec spec) {
    IdRange.of(spec.idRange());
  }

  @Override
  public void make(TaskSpec spec, TaskDirectory task) throws IOException {
    IdRange ids = IdRange.of(spec.idRange());
    for (Volume volume : spec.volumes()) {
      VolumeSource.make(volume, ids);
    }
    for (String fifo : List.of("out", "err")) {
      // Owned by the task's root user, so that `echo x > /dev/stderr` can reopen them.
      Linux.changeOwner(Linux.AT_FDCWD, task.file(fifo).toString(), ids.base(), ids.base());
    }
    layers.make(task, ids, Map.of("etc/hostname", spec.hostName() + "\n"));
  }

  @Override
  public void prepare(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, SecretFiles secrets)
      throws IOException {
    Sandbox.super.prepare(spec, task, environment, secrets);
    if (perl.isPresent()) {
      writeEnvironment(spec, task, environment, LaunchScript.Run.of(secrets).script());
    }
  }

  /** Writes what {@code run_task} of {@code supervise.pl} needs to start the script itself. */
  private static void writeEnvironment(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, String script)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(Sandbox.start(spec)).append('\0').append(script).append('\0');
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
      } catch (PerlSupervisors.GoneException e) {
        // No part of the task has run. The next attempt starts another process and builds the root
        // again.
        if (attempt == ATTEMPTS) {
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
    Path common = layers.common(ids);
    layers.refresh(task);
    layers.addFile(task, ids, "etc/hosts", hosts);
    List<MountStep> plan = RootPlan.of(spec, fileSystems, task.platform());
    int userNamespace = userNamespaces.of(ids, limits.perUser());
    if (perl.isPresent()) {
      perl.get().begin();
    }
    return DedicatedThread.run(
        () -> {
          int machine = Linux.open(MOUNT_NAMESPACE, 0);
          try (RootBuilder builder = new RootBuilder(task, ids, userNamespace, common, secrets);
              Pipe go = Pipe.open()) {
            enterNamespaces(spec.hostName());
            builder.build(plan);
            PidFd supervisor =
                perl.isPresent()
                    ? superviseByPerl(spec, task, groups, userNamespace, go.reading())
                    : superviseByShell(
                        spec, task, groups, machine, userNamespace, builder.root(), go.reading());
            // The PID namespace exists only now. If this fails, the supervisor receives no go and
            // exits before it begins.
            boolean mounted = builder.mountProcesses(supervisor.pid());
            builder.leaveMachine();
            go.write(mounted ? "go\n" : "mount\n");
            return supervisor;
          } finally {
            Linux.close(machine);
          }
        });
  }

  @Override
  public boolean listensInside() {
    return perl.isEmpty();
  }

  private PidFd superviseByPerl(
      TaskSpec spec, TaskDirectory task, List<Path> groups, int userNamespace, int go)
      throws IOException {
    Path root = RootBuilder.TASK_ROOT;
    SandboxEntry sandboxEntry =
        new SandboxEntry(root, CAPABILITY_NUMBERS, List.of(tools.path("sh"), LAUNCH));
    return perl.orElseThrow()
        .start(spec, task, groups, root.resolve("proc"), sandboxEntry, userNamespace, go);
  }

  /**
   * Starts the supervisor in the server's mount namespace; before and afterwards the thread is in
   * the task's.
   *
   * @param machine the server's mount namespace
   * @param root the task's root directory
   */
  private PidFd superviseByShell(
      TaskSpec spec,
      TaskDirectory task,
      List<Path> groups,
      int machine,
      int userNamespace,
      int root,
      int go)
      throws IOException {
    List<String> command = inside(List.of(tools.path("sh"), LAUNCH));
    Path processes = Path.of("/proc/self/fd/7/proc");
    int ofTask = Linux.open(MOUNT_NAMESPACE, 0);
    try {
      Inside inside = new Inside(userNamespace, root, ofTask);
      Linux.enter(machine);
      Linux.unshare(Linux.NEW_PIDS);
      PidFd supervisor =
          supervisorLauncher.start(
              spec, task, groups, new Confinement(List.of(), command, processes, inside), go);
      Linux.enter(ofTask);
      return supervisor;
    } finally {
      Linux.close(ofTask);
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
    Linux.hostName(hostName);
  }

  /**
   * Returns the command that enters the task from the host's root directory. First nsenter enters
   * the task's mount namespace, then it gives up all privileges outside the user namespace, and
   * only after that it changes the root directory: whatever the task's root contains, the first
   * program run from it has no privileges outside. Then setpriv drops the capabilities that a task
   * does not need.
   */
  private List<String> inside(List<String> command) {
    String root = "/proc/self/fd/3";
    List<String> all =
        new ArrayList<>(
            List.of(
                tools.path("nsenter"),
                "--mount=/proc/self/fd/4",
                "--user=/proc/self/fd/9",
                "--root=" + root,
                // Otherwise nsenter would keep the working directory, which is outside.
                "--wd=" + root,
                tools.path("setpriv"),
                "--inh-caps=-all",
                "--bounding-set=" + CAPABILITIES));
    all.addAll(command);
    return all;
  }

  @Override
  public Optional<List<String>> reach(TaskDirectory.Supervisor supervisor) {
    return Optional.of(
        List.of(tools.path("nsenter"), "--target=" + supervisor.pid(), "--mount", "--pid"));
  }

  /** The shell supervisor cannot install a filter. */
  @Override
  public Isolation isolation(boolean limited) {
    return new Isolation(
        Level.PRIVATE,
        Level.PRIVATE,
        Level.NONE,
        limited ? Level.PRIVATE : Level.NONE,
        perl.isPresent() && TaskFilter.isSupported() ? Level.PRIVATE : Level.NONE);
  }

  @Override
  public void close() {
    perl.ifPresent(PerlSupervisors::close);
    userNamespaces.close();
  }
}
