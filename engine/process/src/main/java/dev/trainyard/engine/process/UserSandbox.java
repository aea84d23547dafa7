package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DedicatedThread;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.SystemCall;
import dev.trainyard.engine.process.SupervisorLauncher.Confinement;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox of a server that runs as an ordinary user. All tasks have the account's own user ID,
 * so only their namespaces isolate them from each other and from the server. There are two nested
 * user namespaces per task:
 *
 * <ol>
 *   <li>that of the supervisor owns the PID, UTS and IPC namespaces and a first mount namespace, in
 *       which the task's root is created beside the host's;
 *   <li>that of the task owns only a second mount namespace, which does not contain the host's
 *       root.
 * </ol>
 *
 * Thus even all capabilities in its own user namespace would give a task no power over the
 * supervisor, nor over the mounts that cover the server's files.
 */
final class UserSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(UserSandbox.class);
  private static final String LAUNCH = RootPlan.PLATFORM_DIRECTORY + "/runtime.d/launch.sh";

  private static final String HOSTS = "etc/hosts";

  /** File with the mounts of a task; its first line identifies the host view that they are for. */
  private static final String TABLE = "table";

  private static final int PROBES = 5;
  private static final int PAGE = 4096;

  private final HostTools tools;
  private final SupervisorLauncher supervisorLauncher;
  private final Path mountScript;
  private final Path pivotScript;
  private final Path processes;
  private final UserHostViews machines;
  private final Optional<String> perl;
  private final Path filter;

  private UserSandbox(
      Path data, UserHostViews machines, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    this.tools = tools;
    this.supervisorLauncher = supervisorLauncher;
    this.machines = machines;
    this.mountScript = Scripts.unpack("user-mount.sh", data.resolve("bin"));
    this.pivotScript = Scripts.unpack("user-pivot.sh", data.resolve("bin"));
    byte[] program = TaskFilter.of(Set.of());
    this.perl = program.length > 0 ? HostTools.perl() : Optional.empty();
    this.filter = Scripts.unpack("calls.bpf", program, data.resolve("bin"));
    this.processes = Files.createDirectories(data.resolve("mounts/root/proc"));
  }

  /**
   * Opens the sandbox and probes it, so that missing kernel features are reported now and not to a
   * user.
   *
   * @param data the real path of the data directory, which contains the engine's directories
   * @throws IOException if this host does not allow it
   */
  static UserSandbox open(
      Path data, UserHostViews machines, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    UserSandbox sandbox = new UserSandbox(data, machines, tools, supervisorLauncher);
    List<String> command = new ArrayList<>(sandbox.around());
    command.addAll(sandbox.inside("probe", 1));
    for (int left = PROBES - 1; ; left--) {
      UserHostView machine = machines.current();
      try {
        UserProbe.tryOut(data, machine, command);
        return sandbox;
      } catch (IOException e) {
        if (left == 0 || machines.isCurrent(machine)) {
          throw e;
        }
        LOG.info("the mounts of this host changed during the probe; retrying");
      }
    }
  }

  @Override
  public void check(TaskSpec spec) {
    // Everything is checked when the root is created.
  }

  @Override
  public void make(TaskSpec spec, TaskDirectory task) throws IOException {
    for (Volume volume : spec.volumes()) {
      makeSource(volume);
    }
    createRoot(spec, task, machines.current());
  }

  private static void createRoot(TaskSpec spec, TaskDirectory task, UserHostView machine)
      throws IOException {
    UserRoot root =
        machine
            .root(task.path())
            .files(ownFiles(spec.hostName()))
            .steps(RootPlan.of(spec, List.of(), task.platform()));
    Files.writeString(task.file(TABLE), head(machine) + root.table().text());
  }

  private static String head(UserHostView machine) {
    return "# " + machine.fingerprint() + "\n";
  }

  /**
   * Creates the root again if the host's mounts have changed since the reservation, or if an
   * earlier version of the server created it.
   */
  private UserHostView renew(TaskSpec spec, TaskDirectory task) throws IOException {
    UserHostView machine = machines.current();
    if (!Files.readString(task.file(TABLE)).startsWith(head(machine))) {
      for (String part : UserRoot.DIRECTORIES) {
        Trash.deleteTree(task.file(part));
      }
      createRoot(spec, task, machine);
    }
    return machine;
  }

  private static Map<String, String> ownFiles(String hostName) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("etc/hostname", hostName + "\n");
    files.put(HOSTS, ""); // written at the start
    try {
      // Often a link below /run, where a task has its own files.
      files.put("etc/resolv.conf", Files.readString(Path.of("/etc/resolv.conf")));
    } catch (NoSuchFileException e) {
      // the host has no name servers
    }
    return files;
  }

  static void makeSource(Volume volume) throws IOException {
    Path source = volume.source();
    if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
      if (volume.access() == Volume.Access.READ_ONLY) {
        throw new EngineException("the directory for " + volume.target() + " is missing");
      }
      Files.createDirectories(source);
      Linux.changeMode(source.toString(), 0700);
    }
  }

  @Override
  public void prepare(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, SecretFiles secrets)
      throws IOException {
    Sandbox.super.prepare(spec, task, environment, secrets);
    if (!secrets.isEmpty()) {
      PlatformFiles.makeMountPoint(task.file(SecretFiles.DIRECTORY));
    }
  }

  @Override
  public PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException {
    Files.writeString(renew(spec, task).ownFile(task.path(), HOSTS), hosts);
    if (!secrets.isEmpty()) {
      String table = Files.readString(task.file(TABLE));
      Files.writeString(task.file(TABLE), SecretStream.addTo(table, task.platform().toString()));
    }
    Confinement confinement =
        new Confinement(
            around(),
            inside(spec.hostName(), Math.max(1, spec.resources().memory().bytes() / PAGE)),
            processes,
            SupervisorLauncher.Inside.NONE);
    return DedicatedThread.run(
        () -> {
          Linux.joinNewKeyring();
          try (Pipe go = Pipe.open()) {
            if (secrets.isEmpty()) {
              go.write("go\n");
            }
            PidFd supervisor =
                supervisorLauncher.start(spec, task, groups, confinement, go.reading());
            if (!secrets.isEmpty()) {
              go.writeToReader(SecretStream.of(secrets));
            }
            return supervisor;
          }
        });
  }

  /**
   * Returns the command that creates the supervisor's namespaces; the supervisor is the first
   * process of its PID namespace.
   */
  private List<String> around() {
    return List.of(
        tools.path("unshare"),
        "--user",
        "--map-root-user",
        "--mount",
        "--pid",
        "--ipc",
        "--uts",
        "--cgroup",
        "--propagation=private",
        "--mount-proc=" + processes,
        "--fork",
        "--kill-child");
  }

  /**
   * @param pages maximum number of pages of System V shared memory of the task
   */
  private List<String> inside(String hostName, long pages) {
    return List.of(
        tools.path("sh"),
        mountScript.toString(),
        hostName,
        Long.toString(pages),
        tools.path("mount"),
        tools.path("unshare"),
        "--user",
        "--map-root-user",
        "--mount",
        "--propagation=private",
        tools.path("sh"),
        pivotScript.toString(),
        tools.path("mount"),
        tools.path("pivot_root"),
        tools.path("umount"),
        tools.path("setpriv"),
        perl.orElse(""),
        Integer.toString(SystemCall.SECCOMP.number()),
        filter.toString(),
        tools.path("sh"),
        LAUNCH);
  }

  @Override
  public Optional<List<String>> reach(TaskDirectory.Supervisor supervisor) {
    return Optional.of(
        List.of(
            tools.path("nsenter"),
            "--target=" + supervisor.pid(),
            // Groups cannot be dropped in such a namespace, and the IDs are correct already.
            "--preserve-credentials",
            "--user",
            "--mount",
            "--pid"));
  }

  @Override
  public Isolation isolation(boolean limited) {
    return new Isolation(
        Level.PRIVATE,
        Level.PRIVATE,
        Level.NONE,
        limited ? Level.PRIVATE : Level.NONE,
        perl.isPresent() ? Level.PRIVATE : Level.NONE);
  }

  @Override
  public void close() {
    // Holds no resources.
  }
}
