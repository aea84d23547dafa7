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
 *   <li>The supervisor's user namespace owns the PID, UTS and IPC namespaces and a first mount
 *       namespace, which contains both the host's root and the task's root.
 *   <li>The task's user namespace owns only a second mount namespace, which does not contain the
 *       host's root.
 * </ol>
 *
 * Thus a task cannot change the supervisor or the mounts that cover the server's files, even with
 * all capabilities in its own user namespace.
 */
final class UserSandbox implements Sandbox {
  private static final Logger LOG = LoggerFactory.getLogger(UserSandbox.class);
  private static final String LAUNCH_SCRIPT =
      TaskRootPlan.PLATFORM_DIRECTORY + "/runtime.d/launch.sh";

  private static final String HOSTS_FILE = "etc/hosts";

  /**
   * File with the mounts of a task; its first line identifies the host view on which the mounts
   * depend.
   */
  private static final String MOUNT_TABLE_FILE = "table";

  private static final int MAX_PROBES = 5;
  private static final int PAGE_SIZE = 4096;

  private final HostTools tools;
  private final SupervisorLauncher supervisorLauncher;
  private final Path mountScript;
  private final Path pivotScript;
  private final Path procDirectory;
  private final UserHostViews hostViews;
  private final Optional<String> perl;
  private final Path filterFile;

  private UserSandbox(
      Path data, UserHostViews hostViews, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    this.tools = tools;
    this.supervisorLauncher = supervisorLauncher;
    this.hostViews = hostViews;
    this.mountScript = Scripts.unpack("user-mount.sh", data.resolve("bin"));
    this.pivotScript = Scripts.unpack("user-pivot.sh", data.resolve("bin"));
    byte[] program = TaskFilter.of(Set.of());
    this.perl = program.length > 0 ? HostTools.perl() : Optional.empty();
    this.filterFile = Scripts.unpack("calls.bpf", program, data.resolve("bin"));
    this.procDirectory = Files.createDirectories(data.resolve("mounts/root/proc"));
  }

  /**
   * Opens the sandbox and probes it, so that missing kernel features are reported when the server
   * starts and not when a user's task starts.
   *
   * @param data the real path of the data directory, which contains the engine's directories
   * @throws IOException if this host does not allow the sandbox
   */
  static UserSandbox open(
      Path data, UserHostViews hostViews, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    UserSandbox sandbox = new UserSandbox(data, hostViews, tools, supervisorLauncher);
    List<String> command = new ArrayList<>(sandbox.supervisorPrefix());
    command.addAll(sandbox.taskCommand("probe", 1));
    for (int remainingProbes = MAX_PROBES - 1; ; remainingProbes--) {
      UserHostView hostView = hostViews.current();
      try {
        UserProbe.probeRoot(data, hostView, command);
        return sandbox;
      } catch (IOException e) {
        if (remainingProbes == 0 || hostViews.isCurrent(hostView)) {
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
  public void prepareVolume(Volume volume, int idRange) throws IOException {
    createSource(volume);
  }

  @Override
  public void create(TaskSpec spec, TaskDirectory task) throws IOException {
    for (Volume volume : spec.volumes()) {
      createSource(volume);
    }
    createRoot(spec, task, hostViews.current());
  }

  private static void createRoot(TaskSpec spec, TaskDirectory task, UserHostView hostView)
      throws IOException {
    UserRoot root =
        hostView
            .createRoot(task.path())
            .addFiles(ownFiles(spec.hostName()))
            .addSteps(TaskRootPlan.of(spec, List.of(), task.platform()));
    Files.writeString(task.file(MOUNT_TABLE_FILE), tableHeader(hostView) + root.table().text());
  }

  private static String tableHeader(UserHostView hostView) {
    return "# " + hostView.fingerprint() + "\n";
  }

  /**
   * Re-creates the root if the host's mounts have changed since the reservation, or if an earlier
   * version of the server created the root. Returns the host view of the root.
   */
  private UserHostView updateRoot(TaskSpec spec, TaskDirectory task) throws IOException {
    UserHostView hostView = hostViews.current();
    if (!Files.readString(task.file(MOUNT_TABLE_FILE)).startsWith(tableHeader(hostView))) {
      for (String name : UserRoot.DIRECTORIES) {
        Trash.deleteTree(task.file(name));
      }
      createRoot(spec, task, hostView);
    }
    return hostView;
  }

  private static Map<String, String> ownFiles(String hostName) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("etc/hostname", hostName + "\n");
    files.put(HOSTS_FILE, ""); // the content is written when the task starts
    try {
      // The file is often a link to a file below /run, which tasks cannot see.
      files.put("etc/resolv.conf", Files.readString(Path.of("/etc/resolv.conf")));
    } catch (NoSuchFileException e) {
      // The host has no name servers.
    }
    return files;
  }

  static void createSource(Volume volume) throws IOException {
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
      PlatformFiles.createMountPoint(task.file(SecretFiles.DIRECTORY));
    }
  }

  @Override
  public PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException {
    Files.writeString(updateRoot(spec, task).ownFile(task.path(), HOSTS_FILE), hosts);
    if (!secrets.isEmpty()) {
      String table = Files.readString(task.file(MOUNT_TABLE_FILE));
      Files.writeString(
          task.file(MOUNT_TABLE_FILE), SecretStream.addMount(table, task.platform().toString()));
    }
    Confinement confinement =
        new Confinement(
            supervisorPrefix(),
            taskCommand(
                spec.hostName(), Math.max(1, spec.resources().memory().bytes() / PAGE_SIZE)),
            procDirectory,
            SupervisorLauncher.TaskDescriptors.NONE);
    return DedicatedThread.run(
        () -> {
          Linux.joinNewKeyring();
          try (Pipe goPipe = Pipe.open()) {
            if (secrets.isEmpty()) {
              goPipe.write("go\n");
            }
            PidFd supervisor =
                supervisorLauncher.start(spec, task, groups, confinement, goPipe.readEnd());
            if (!secrets.isEmpty()) {
              goPipe.writeToReader(SecretStream.of(secrets));
            }
            return supervisor;
          }
        });
  }

  /**
   * Returns the command that creates the supervisor's namespaces; the supervisor is the first
   * process of its PID namespace.
   */
  private List<String> supervisorPrefix() {
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
        "--mount-proc=" + procDirectory,
        "--fork",
        "--kill-child");
  }

  /**
   * Returns the command with which the supervisor mounts the task's root, enters it and runs the
   * task.
   *
   * @param pages maximum number of pages of System V shared memory of the task
   */
  private List<String> taskCommand(String hostName, long pages) {
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
        filterFile.toString(),
        tools.path("sh"),
        LAUNCH_SCRIPT);
  }

  @Override
  public Optional<List<String>> pidNamespacePrefix(TaskDirectory.Supervisor supervisor) {
    return Optional.of(
        List.of(
            tools.path("nsenter"),
            "--target=" + supervisor.pid(),
            // nsenter cannot drop groups in this user namespace, and the IDs are already correct.
            "--preserve-credentials",
            "--user",
            "--mount",
            "--pid"));
  }

  @Override
  public Isolation isolation(boolean hasControlGroups) {
    return new Isolation(
        Level.PRIVATE,
        Level.PRIVATE,
        Level.NONE,
        hasControlGroups ? Level.PRIVATE : Level.NONE,
        perl.isPresent() ? Level.PRIVATE : Level.NONE);
  }

  @Override
  public void close() {
    // There are no resources to release.
  }
}
