package dev.trainyard.dist;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.server.Background;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.config.DatabasePassword;
import dev.trainyard.server.config.ForeignDirectoryCheck;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts a server as a background process in its own session, so that neither Ctrl-C nor closing
 * the terminal terminates it.
 */
final class DetachedServer implements Background {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final int MAX_LOG_LINES = 20;
  private static final String PASSWORD_FILE = "admin-password";

  /** Environment variable that marks a server whose output goes to a log file, not to a user. */
  static final String DETACHED_VARIABLE = "TRAINYARD_DETACHED";

  private final Map<String, String> env;

  DetachedServer(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public LocalServer start(Path data, List<String> options, Session session) {
    requireNoOtherFiles(data, options);
    try {
      createPrivateDirectory(data);
      // Serializes concurrent commands, so that they start only one server.
      try (FileChannel lockFile =
              FileChannel.open(
                  data.resolve("start.lock"),
                  Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rw-------")));
          FileLock lock = lockFile.lock()) {
        Optional<LocalServer> runningServer =
            lock.isValid() ? findResponding(data) : Optional.empty();
        return runningServer.isPresent()
            ? runningServer.get()
            : startProcess(data, options, session);
      }
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.INTERNAL,
          Message.of("config.data-file", "path", data)
              .with("detail", String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Rejects a directory that contains files of other programs, before this command creates its own
   * files there.
   */
  private void requireNoOtherFiles(Path data, List<String> options) {
    Map<String, String> values = new HashMap<>(Map.of(Settings.DATA.name(), data.toString()));
    for (String option : options) {
      String[] nameAndValue = option.substring("--".length()).split("=", 2);
      values.put(nameAndValue[0], nameAndValue[1]);
    }
    Settings settings;
    try {
      settings = SettingsReader.read(values, env);
    } catch (AppException e) {
      return; // the server process reports all problems of the settings
    }
    ForeignDirectoryCheck.require(data, settings);
  }

  private LocalServer startProcess(Path data, List<String> options, Session session)
      throws IOException, InterruptedException {
    ServerLog log = ServerLog.of(data);
    log.rotate();
    boolean firstStart = !Files.exists(data.resolve(PASSWORD_FILE));
    Process process = spawn(data, options, log, session);
    LocalServer startedServer = awaitReady(data, process, log, session);
    session.terminal().clearStatus();
    if (firstStart) {
      showPassword(data.resolve(PASSWORD_FILE), session);
    }
    return startedServer;
  }

  /** Prints the password in the terminal of this command, because the log must not contain it. */
  private static void showPassword(Path file, Session session) throws IOException {
    if (Files.exists(file)) {
      String password = Files.readString(file).strip();
      session
          .terminal()
          .note(session.localizer().text("cli.up.password", "password", password, "file", file));
    }
  }

  /** Returns the server that uses the data directory, if it is running and responds. */
  static Optional<LocalServer> findResponding(Path data) {
    return LocalServer.find(data)
        .filter(server -> server.process().isPresent())
        .filter(DetachedServer::isResponding);
  }

  /**
   * Returns whether a server responds. Returns true without a request if the certificate of a TLS
   * server is unknown; callers have checked that the process of the server is running.
   */
  private static boolean isResponding(LocalServer server) {
    boolean certificateUnknown =
        "https".equals(server.address().getScheme()) && server.certificate().isEmpty();
    return certificateUnknown || ApiClient.of(server).isResponding();
  }

  private static void createPrivateDirectory(Path data) throws IOException {
    if (!Files.isDirectory(data)) {
      Files.createDirectories(
          data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private Process spawn(Path data, List<String> options, ServerLog log, Session session)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(newSessionPrefix());
    command.addAll(launchCommand());
    command.add("up");
    command.add("--data");
    command.add(data.toString());
    // This command prints the startup error of the server, so both must use the same language.
    command.add("--lang=" + session.localizer().language());
    ProcessBuilder builder = new ProcessBuilder(command);
    command.addAll(publicArguments(options, builder.environment()));
    builder.environment().put(DETACHED_VARIABLE, "1");
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true);
    Files.deleteIfExists(log.file());
    Files.createFile(
        log.file(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
    return builder.start();
  }

  /**
   * Returns the options that may be arguments, and moves a database URL with a password to the
   * environment: every account can read the arguments of a process, but not its environment.
   */
  static List<String> publicArguments(List<String> options, Map<String, String> environment) {
    List<String> arguments = new ArrayList<>();
    String prefix = "--" + Settings.DB.name() + "=";
    for (String option : options) {
      if (option.startsWith(prefix) && DatabasePassword.isIn(option)) {
        environment.put(Settings.DB.environmentVariable(), option.substring(prefix.length()));
      } else {
        arguments.add(option);
      }
    }
    return arguments;
  }

  private List<String> newSessionPrefix() {
    for (String directory : env.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
      Path setsid = Path.of(directory, "setsid");
      if (Files.isExecutable(setsid)) {
        return List.of(setsid.toString());
      }
    }
    return List.of("nohup");
  }

  /**
   * Returns the command that starts Trainyard: the launcher, which sets the JVM flags, or, if this
   * process was started without it, a command for the current jar.
   */
  static List<String> launchCommand() {
    String launcher = System.getProperty("trainyard.launcher", "");
    if (!launcher.isEmpty()) {
      return List.of(launcher);
    }
    try {
      Path jar =
          Path.of(DetachedServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      return List.of(java, "-XX:+ExitOnOutOfMemoryError", "-jar", jar.toString());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private LocalServer awaitReady(Path data, Process process, ServerLog log, Session session)
      throws InterruptedException {
    long startTime = System.nanoTime();
    long pause = 20;
    while (true) {
      // The server writes this file only after it has started to listen.
      Optional<LocalServer> startedServer =
          LocalServer.find(data).filter(it -> it.process().isPresent());
      if (startedServer.isPresent()) {
        return startedServer.get();
      }
      // If the process has exited, the reason may be that another server, started at the same time,
      // holds the lock.
      if (!process.isAlive() && !isOtherServerStarting(data)) {
        throw findStartupError(log, session).orElseGet(() -> startFailure("cli.up.failed", 0, log));
      }
      Duration waitingTime = Duration.ofNanos(System.nanoTime() - startTime);
      if (waitingTime.compareTo(START_TIMEOUT) > 0) {
        throw startFailure("cli.up.slow", waitingTime.toSeconds(), log);
      }
      session
          .terminal()
          .status(session.localizer().text("cli.up.waiting", "seconds", waitingTime.toSeconds()));
      Thread.sleep(pause);
      pause = Math.min(200, pause + 10);
    }
  }

  /**
   * Returns whether the process whose ID is in the lock file is running. A starting server first
   * locks its data directory and writes its process ID into the lock file.
   */
  private static boolean isOtherServerStarting(Path data) {
    try {
      String lockContent = Files.readString(data.resolve("lock")).strip();
      Matcher pid = Pattern.compile("pid (\\d{1,18})\\b.*").matcher(lockContent);
      return pid.matches()
          && ProcessHandle.of(Long.parseLong(pid.group(1)))
              .filter(ProcessHandle::isAlive)
              .isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the error that the server logged when it failed to start, if any. */
  private static Optional<AppException> findStartupError(ServerLog log, Session session) {
    List<String> errorLines = log.startupError(session.localizer().text("cli.error"));
    return errorLines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new AppException(
                ErrorCode.INTERNAL,
                Message.of("cli.verbatim", "text", errorLines.getFirst()),
                toProblems(errorLines.subList(1, errorLines.size()))));
  }

  private static List<Problem> toProblems(List<String> lines) {
    return lines.stream()
        .map(line -> Problem.at("", Message.of("cli.verbatim", "text", line)))
        .toList();
  }

  private static AppException startFailure(String code, long seconds, ServerLog log) {
    return new AppException(
        ErrorCode.INTERNAL,
        Message.of(code, "log", log.file()).with("seconds", seconds),
        toProblems(log.tail(MAX_LOG_LINES)));
  }
}
