package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.WebSocket;
import dev.trainyard.cli.terminal.RawMode;
import dev.trainyard.cli.terminal.SystemTerminal;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code exec JOB -- COMMAND}: runs a command in a running task and exits with its exit code. */
@picocli.CommandLine.Command(name = "exec")
public final class ExecCommand extends Command {
  /** Maximum length of the request URL, which contains the command; servers limit it. */
  private static final int MAX_URL_LENGTH = 60_000;

  @Parameters(index = "0", paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Parameters(index = "1..*", paramLabel = "COMMAND", descriptionKey = "command")
  private List<String> command = List.of();

  @Option(names = "--role", paramLabel = "ROLE")
  private String role;

  @Option(names = "--index", paramLabel = "N")
  private Integer index;

  @Option(names = {"-t", "--tty"})
  private boolean tty;

  @Option(names = {"-T", "--no-tty"})
  private boolean noTty;

  public ExecCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (session().json()) {
      throw session().usageError("cli.wrong.no-json", "command", "exec");
    }
    boolean inputIsTerminal = SystemTerminal.isTerminal(0);
    boolean outputIsTerminal = terminal().properties().outIsTerminal();
    boolean useTerminal = !noTty && (tty || (inputIsTerminal && outputIsTerminal));
    String path = path(useTerminal, inputIsTerminal);
    try (WebSocket socket = api().socket(path)) {
      OptionalInt code =
          useTerminal && inputIsTerminal ? runInteractive(socket) : runPlain(socket, useTerminal);
      return code.orElseThrow(() -> endedEarlyError(socket.closeReason()));
    } catch (IOException e) {
      throw new AppException(ErrorCode.UNREACHABLE, Message.of("cli.exec.broken"));
    }
  }

  private String path(boolean useTerminal, boolean inputIsTerminal) {
    StringBuilder path = new StringBuilder(taskPath());
    char separator = '?';
    for (String argument : command) {
      path.append(separator).append("command=").append(ApiClient.encode(argument));
      separator = '&';
    }
    if (useTerminal) {
      RawMode.Size unknownSize = new RawMode.Size(0, 0);
      RawMode.Size size = inputIsTerminal ? RawMode.size().orElse(unknownSize) : unknownSize;
      path.append(separator).append("columns=").append(size.columns());
      path.append("&rows=").append(size.rows());
    }
    if (path.length() > MAX_URL_LENGTH) {
      throw new AppException(
          ErrorCode.TOO_LARGE, Message.of("cli.exec.too-long", "most", MAX_URL_LENGTH));
    }
    return path.toString();
  }

  /**
   * Returns the path of the task. If neither role nor index is given, the server selects the only
   * task of the job. If only one of them is given, this method determines the other.
   */
  private String taskPath() {
    if (role == null && index == null) {
      return JobPath.exec(job, "-", "-");
    }
    if (role != null && index != null) {
      return JobPath.exec(job, role, String.valueOf(index));
    }
    TaskChoice choice = TaskChoice.resolve(api().read(JobPath.of(job)), role, index);
    return JobPath.exec(job, choice.role(), choice.index());
  }

  private OptionalInt runPlain(WebSocket socket, boolean useTerminal) throws IOException {
    RemoteCommand remote = new RemoteCommand(socket);
    remote.sendInput(session().environment().in());
    return useTerminal
        ? remote.printOutput(terminal()::writeUnfiltered, terminal()::writeUnfiltered)
        : remote.printOutput(terminal()::logOut, terminal()::logErr);
  }

  private OptionalInt runInteractive(WebSocket socket) throws IOException {
    RemoteCommand remote = new RemoteCommand(socket);
    try (RawMode _ = RawMode.enter()) {
      session().environment().signals().onResize(() -> RawMode.size().ifPresent(remote::resize));
      remote.sendInput(session().environment().in());
      return remote.printOutput(terminal()::writeUnfiltered, terminal()::writeUnfiltered);
    }
  }

  private static AppException endedEarlyError(String reason) {
    return new AppException(
        ErrorCode.UNREACHABLE,
        reason.isEmpty()
            ? Message.of("cli.exec.broken")
            : Message.of("cli.exec.ended-early", "reason", reason));
  }
}
