package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
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
  private static final int LONGEST_ADDRESS = 60_000;

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
      throw session().wrong("cli.wrong.no-json", "command", "exec");
    }
    boolean keyboard = SystemTerminal.isTerminal(0);
    boolean screen = terminal().look().outIsTerminal();
    boolean asTerminal = !noTty && (tty || (keyboard && screen));
    String path = path(asTerminal, keyboard);
    try (WebSocket socket = api().socket(path)) {
      OptionalInt code = asTerminal && keyboard ? interactive(socket) : plain(socket, asTerminal);
      return code.orElseThrow(() -> endedEarly(socket.closeReason()));
    } catch (IOException e) {
      throw new AppException(ErrorCode.UNREACHABLE, Message.of("cli.exec.broken"));
    }
  }

  private String path(boolean asTerminal, boolean keyboard) {
    StringBuilder path = new StringBuilder(task());
    char separator = '?';
    for (String word : command) {
      path.append(separator).append("command=").append(Api.part(word));
      separator = '&';
    }
    if (asTerminal) {
      RawMode.Size none = new RawMode.Size(0, 0);
      RawMode.Size size = keyboard ? RawMode.size().orElse(none) : none;
      path.append(separator).append("columns=").append(size.columns());
      path.append("&rows=").append(size.rows());
    }
    if (path.length() > LONGEST_ADDRESS) {
      throw new AppException(
          ErrorCode.TOO_LARGE, Message.of("cli.exec.too-long", "most", LONGEST_ADDRESS));
    }
    return path.toString();
  }

  /**
   * Returns the path of the task. The server resolves the only task of a job; an incomplete choice
   * must be completed here.
   */
  private String task() {
    if (role == null && index == null) {
      return JobPath.exec(job, "-", "-");
    }
    if (role != null && index != null) {
      return JobPath.exec(job, role, String.valueOf(index));
    }
    TaskChoice choice = TaskChoice.among(api().read(JobPath.of(job)), role, index);
    return JobPath.exec(job, choice.role(), choice.index());
  }

  private OptionalInt plain(WebSocket socket, boolean asTerminal) throws IOException {
    RemoteCommand remote = new RemoteCommand(socket);
    remote.feed(session().environment().in());
    return asTerminal
        ? remote.show(terminal()::passOut, terminal()::passOut)
        : remote.show(terminal()::logOut, terminal()::logErr);
  }

  private OptionalInt interactive(WebSocket socket) throws IOException {
    RemoteCommand remote = new RemoteCommand(socket);
    try (RawMode _ = RawMode.enter()) {
      session().environment().interrupts().onResize(() -> RawMode.size().ifPresent(remote::resize));
      remote.feed(session().environment().in());
      return remote.show(terminal()::passOut, terminal()::passOut);
    }
  }

  private static AppException endedEarly(String reason) {
    return new AppException(
        ErrorCode.UNREACHABLE,
        reason.isEmpty()
            ? Message.of("cli.exec.broken")
            : Message.of("cli.exec.ended-early", "reason", reason));
  }
}
