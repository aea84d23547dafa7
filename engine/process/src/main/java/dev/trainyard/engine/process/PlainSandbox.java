package dev.trainyard.engine.process;

import static dev.trainyard.engine.linux.ShellVariables.quoted;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DedicatedThread;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.engine.process.SupervisorLauncher.Confinement;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * No sandbox at all: tasks are processes of the server's account, with all that this account may
 * do. For machines where an ordinary user can't make namespaces, and then only for people who are
 * trusted with the server anyway. Never for a server run as root.
 *
 * <p>What a task would find at the places of its volumes it finds where these really are; paths in
 * its environment are changed accordingly. Its processes are known by a variable they inherit.
 */
final class PlainSandbox implements Sandbox {
  private static final String NO_NAMESPACE = "-";

  /** The variable by which a task's processes are known; see plain-signal.sh. */
  private static final String NAME = "TRAINYARD_TASK";

  private final HostTools tools;
  private final SupervisorLauncher supervisorLauncher;
  private final Predicate<String> trusted;
  private final Message refusal;
  private final SharedMemory memory;

  /**
   * @param memory where tasks find their secrets
   * @param trusted which users may have their tasks run so
   * @param refusal what the others are told
   */
  PlainSandbox(
      HostTools tools,
      SupervisorLauncher supervisorLauncher,
      SharedMemory memory,
      Predicate<String> trusted,
      Message refusal) {
    this.tools = tools;
    this.supervisorLauncher = supervisorLauncher;
    this.trusted = trusted;
    this.refusal = refusal;
    this.memory = memory;
  }

  @Override
  public Optional<Message> refusal(String user) {
    return trusted.test(user) ? Optional.empty() : Optional.of(refusal);
  }

  /** Also for jobs that were taken when there was a sandbox. */
  @Override
  public void check(TaskSpec spec) {
    if (!trusted.test(spec.user())) {
      throw new EngineException(refusal.english());
    }
  }

  @Override
  public List<Message> notices() {
    return List.of(Message.of("notice.plain-process"));
  }

  @Override
  public void make(TaskSpec spec, TaskDirectory task) throws IOException {
    for (Volume volume : spec.volumes()) {
      UserSandbox.makeSource(volume);
    }
    createMountPoints(task.platform(), spec.files().keySet());
    Path scripts = task.platform().resolve("runtime.d");
    Path preparation = scripts.resolve("precommands.sh");
    if (Files.exists(preparation)) {
      String text = Files.readString(preparation);
      for (Volume volume : spec.volumes()) {
        // Such scripts are the server's own, with every path in quotes.
        String target = VolumeTarget.check(volume.target());
        String place = quoted(volume.source().toString());
        text =
            text.replaceAll(
                "'" + Pattern.quote(target) + "(?=[/'])",
                Matcher.quoteReplacement(place.substring(0, place.length() - 1)));
      }
      Files.writeString(preparation, text);
    }
  }

  /** What a link would lead to is in a sandbox only; here the task can write to its directory. */
  static void createMountPoints(Path platform, Set<String> files) throws IOException {
    for (String file : files) {
      if (file.endsWith("/")) {
        Files.delete(platform.resolve(file));
        Files.createDirectory(platform.resolve(file));
      }
    }
  }

  @Override
  public void prepare(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, SecretFiles secrets)
      throws IOException {
    Map<String, String> changed = new HashMap<>();
    environment.forEach((name, value) -> changed.put(name, place(spec, value)));
    changed.put(NAME, task.id().toString());
    // A stop that came before the process had its name did not find it.
    String stopped = "[ ! -h %s ] || exit 1\n".formatted(quoted(task.file("stop").toString()));
    String start = place(spec, Sandbox.start(spec));
    LaunchScript.Run run =
        LaunchScript.Run.of(task.platform().toString(), memory.of(task.id()).toString(), secrets);
    LaunchScript.write(task, stopped + LaunchScript.of(changed, start, run, ""), changed);
  }

  /** Where a path of the task's world is on this machine. */
  private static String place(TaskSpec spec, String path) {
    for (Volume volume : spec.volumes()) {
      String target = VolumeTarget.check(volume.target());
      if (path.equals(target) || path.startsWith(target + "/")) {
        return volume.source() + path.substring(target.length());
      }
    }
    return path;
  }

  @Override
  public PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException {
    if (!secrets.isEmpty()) {
      memory.put(task.id(), secrets);
    }
    String word = secrets.isEmpty() ? "go\n" : "go " + memory.of(task.id()) + "\n";
    List<String> inside =
        List.of(
            tools.path("env"),
            NAME + "=" + task.id(),
            tools.path("setpriv"),
            "--pdeathsig=KILL",
            tools.path("sh"),
            task.platform().resolve("runtime.d/launch.sh").toString());
    ExecChannel.close(task); // it would listen in a place of the machine's
    Confinement confinement =
        new Confinement(List.of(), inside, Path.of(NO_NAMESPACE), SupervisorLauncher.Inside.NONE);
    return DedicatedThread.run(
        () -> {
          Linux.joinNewKeyring();
          try (Pipe go = Pipe.open()) {
            go.write(word);
            return supervisorLauncher.start(spec, task, groups, confinement, go.reading());
          }
        });
  }

  @Override
  public void forget(TaskId task) {
    memory.forget(task);
  }

  @Override
  public void forgetAllBut(Predicate<TaskId> runs) {
    memory.forgetAllBut(runs);
  }

  @Override
  public Optional<List<String>> reach(TaskDirectory.Supervisor supervisor) {
    return Optional.empty();
  }

  @Override
  public Isolation isolation(boolean limited) {
    return new Isolation(Level.NONE, Level.NONE, Level.NONE, limited ? Level.PRIVATE : Level.NONE);
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
