package dev.trainyard.dist;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.CliEnvironment;
import dev.trainyard.cli.terminal.Terminal;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Java watches while it makes the AOT caches: a server of its own, and in a second process the
 * usual commands against it. Two caches, because Java loads all classes of a cache at every start:
 * with the server's among them each command took 100 ms of CPU time more. Needs no network and
 * leaves nothing.
 */
final class AotTraining {
  /** Typed by the launcher alone. */
  static final String COMMAND = "train-cache";

  private static final String JOB =
      """
      {"jobName":"training","image":"none","taskRoles":[{"name":"main","taskNumber":1,"cpuNumber":1,
       "memoryMB":64,"gpuNumber":0,"command":"echo trained"}]}
      """;
  private static final String WRONG_JOB = "{\"jobName\":\"~\",\"taskRoles\":[{}]}";

  /** Twice, so that Java also learns what is done often. */
  private static final int ROUNDS = 2;

  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Path folder;
  private final Map<String, String> env;

  private AotTraining(Path folder) {
    this.folder = folder;
    this.env = new HashMap<>(System.getenv());
    // Whatever is configured outside must not lead the commands to a real server.
    env.keySet().removeIf(name -> name.startsWith("TRAINYARD_"));
    env.put("HOME", folder.toString());
    env.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
  }

  /**
   * The server's part; the flags for the other process are the launcher's to choose.
   *
   * @param args flags and cache of the commands, or the data directory of the server to command
   */
  static void run(List<String> args) throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().start(AotTraining::giveUpAfterAWhile);
    if (args.size() == 1) {
      Path data = Path.of(args.getFirst());
      new AotTraining(data.getParent()).commands(data);
      System.exit(0);
    }
    Path folder = Files.createTempDirectory("trainyard-training");
    int exit;
    try {
      exit = new AotTraining(folder).serve(args);
    } finally {
      delete(folder);
    }
    System.exit(exit);
  }

  /** A machine on which the training job never ends can do without the cache. */
  private static void giveUpAfterAWhile() {
    try {
      Thread.sleep(LONGEST);
      System.err.println("gave up after " + LONGEST.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }

  private int serve(List<String> flags) throws IOException, InterruptedException {
    Cli.run(world(), "up", "--help");
    Path data = folder.resolve("data");
    Settings settings =
        SettingsReader.read(
            Map.of("data", data.toString(), "port", "0", "log-level", "error"), env);
    try (Server server = ServerAssembly.start(settings, env)) {
      System.out.println("training with " + server.url());
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(flags);
      command.addAll(List.of("-jar", System.getProperty("java.class.path"), COMMAND));
      command.add(data.toString());
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
  }

  private void commands(Path data) throws IOException {
    env.put("TRAINYARD_DATA", data.toString());
    Path job = Files.writeString(folder.resolve("job.json"), JOB);
    Path wrong = Files.writeString(folder.resolve("wrong.json"), WRONG_JOB);
    for (int round = 0; round < ROUNDS; round++) {
      for (List<String> command : commands(job, wrong)) {
        int exit = Cli.run(world(), command.toArray(String[]::new));
        System.out.println(command + " ended with " + exit);
      }
    }
  }

  private static List<List<String>> commands(Path job, Path wrong) {
    return List.of(
        List.of("version"),
        List.of("--help"),
        List.of("ls", "--help"),
        List.of("--lang", "zh", "run", "--help"),
        List.of("no-such-command"),
        List.of("whoami"),
        List.of("nodes"),
        List.of("user", "ls"),
        List.of("submit", wrong.toString()),
        List.of("run", job.toString()),
        List.of("ls"),
        List.of("ls", "--all", "--json"),
        List.of("show", "training"),
        List.of("show", "training", "--json"),
        List.of("why", "training"),
        List.of("logs", "training"),
        List.of("exec", "training", "--", "true"),
        List.of("stop", "training"),
        List.of("rm", "--yes", "training"));
  }

  private CliEnvironment world() {
    var look = new Terminal.Look(false, false, false, true, 80, StandardCharsets.UTF_8);
    return new CliEnvironment(
        env,
        folder,
        new Terminal(look, OutputStream.nullOutputStream(), OutputStream.nullOutputStream()),
        new ByteArrayInputStream(new byte[0]),
        prompt -> null,
        action -> {},
        "training",
        (data, options, session) -> {
          throw new IllegalStateException("the server of the training is gone");
        },
        UpCommand::spec,
        ServerCommands.all());
  }

  private static void delete(Path folder) throws IOException {
    try (var walk = Files.walk(folder)) {
      for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
