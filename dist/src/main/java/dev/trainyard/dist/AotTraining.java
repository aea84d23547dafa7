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
 * Workload from which Java creates the AOT caches: a temporary server and, in a second process, the
 * most common commands, which use this server. The server and the commands have separate caches
 * because Java loads all classes of a cache at every start. With the classes of the server in the
 * same cache, each command took 100 ms more CPU time. The workload needs no network and removes all
 * its files.
 */
final class AotTraining {
  /** Name of the hidden command; only the launcher uses it. */
  static final String COMMAND = "train-cache";

  private static final String JOB =
      """
      {"jobName":"training","image":"none","taskRoles":[{"name":"main","taskNumber":1,"cpuNumber":1,
       "memoryMB":64,"gpuNumber":0,"command":"echo trained"}]}
      """;
  private static final String INVALID_JOB = "{\"jobName\":\"~\",\"taskRoles\":[{}]}";

  /** Number of rounds; with two rounds, Java also records which code runs often. */
  private static final int ROUNDS = 2;

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Path directory;
  private final Map<String, String> env;

  private AotTraining(Path directory) {
    this.directory = directory;
    this.env = new HashMap<>(System.getenv());
    // Settings in the environment must not make the commands use a real server.
    env.keySet().removeIf(name -> name.startsWith("TRAINYARD_"));
    env.put("HOME", directory.toString());
    env.put("XDG_CONFIG_HOME", directory.resolve("config").toString());
  }

  /**
   * Runs the server and starts the second process, or runs the commands if this is the second
   * process.
   *
   * @param args JVM flags of the second process, including its cache; or, in the second process,
   *     only the data directory of the server
   */
  static void run(List<String> args) throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().start(AotTraining::haltAfterTimeout);
    if (args.size() == 1) {
      Path data = Path.of(args.getFirst());
      new AotTraining(data.getParent()).runCommands(data);
      System.exit(0);
    }
    Path directory = Files.createTempDirectory("trainyard-training");
    int exitCode;
    try {
      exitCode = new AotTraining(directory).runServer(args);
    } finally {
      delete(directory);
    }
    System.exit(exitCode);
  }

  /**
   * Terminates this process after a timeout, for example if jobs do not finish on this host.
   * Trainyard works without the cache, too.
   */
  private static void haltAfterTimeout() {
    try {
      Thread.sleep(TIMEOUT);
      System.err.println("timed out after " + TIMEOUT.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }

  private int runServer(List<String> flags) throws IOException, InterruptedException {
    Cli.run(environment(), "up", "--help");
    Path data = directory.resolve("data");
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

  private void runCommands(Path data) throws IOException {
    env.put("TRAINYARD_DATA", data.toString());
    Path job = Files.writeString(directory.resolve("job.json"), JOB);
    Path invalidFile = Files.writeString(directory.resolve("wrong.json"), INVALID_JOB);
    for (int round = 0; round < ROUNDS; round++) {
      for (List<String> command : commandLines(job, invalidFile)) {
        int exitCode = Cli.run(environment(), command.toArray(String[]::new));
        System.out.println(command + " exited with code " + exitCode);
      }
    }
  }

  private static List<List<String>> commandLines(Path job, Path invalidFile) {
    return List.of(
        List.of("version"),
        List.of("--help"),
        List.of("ls", "--help"),
        List.of("--lang", "zh", "run", "--help"),
        List.of("no-such-command"),
        List.of("whoami"),
        List.of("nodes"),
        List.of("user", "ls"),
        List.of("submit", invalidFile.toString()),
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

  private CliEnvironment environment() {
    var appearance = new Terminal.Properties(false, false, false, true, 80, StandardCharsets.UTF_8);
    return new CliEnvironment(
        env,
        directory,
        new Terminal(appearance, OutputStream.nullOutputStream(), OutputStream.nullOutputStream()),
        new ByteArrayInputStream(new byte[0]),
        prompt -> null,
        action -> {},
        "training",
        (data, options, session) -> {
          throw new IllegalStateException("the training server has stopped");
        },
        UpCommand::spec,
        ServerCommands.all());
  }

  private static void delete(Path directory) throws IOException {
    try (var walk = Files.walk(directory)) {
      for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
