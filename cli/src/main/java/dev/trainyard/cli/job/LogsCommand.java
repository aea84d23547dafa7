package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs JOB}: what a task wrote, to the same two outputs it wrote to. */
@picocli.CommandLine.Command(name = "logs")
public final class LogsCommand extends Command {
  @Parameters(paramLabel = "JOB", descriptionKey = "job")
  private String job;

  @Option(names = {"-f", "--follow"})
  private boolean follow;

  @Option(names = "--role", paramLabel = "ROLE")
  private String role;

  @Option(names = "--index", paramLabel = "N")
  private Integer index;

  @Option(names = "--stdout")
  private boolean stdoutOnly;

  @Option(names = "--stderr")
  private boolean stderrOnly;

  @Option(names = "--tail", paramLabel = "N")
  private Integer tail;

  @Option(names = "--attempt", paramLabel = "N")
  private Integer attempt;

  public LogsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    LogCopy.Sink out = terminal()::logOut;
    if (stdoutOnly || stderrOnly) {
      // One log alone goes to standard output, where pipes find it.
      copy(stderrOnly ? "stderr" : "stdout", out);
    } else if (follow) {
      new Together()
          .run(List.of(() -> copy("stdout", out), () -> copy("stderr", terminal()::logErr)));
    } else {
      copy("stdout", out);
      copy("stderr", terminal()::logErr);
    }
    return ExitCode.OK;
  }

  private void copy(String stream, LogCopy.Sink sink) throws InterruptedException {
    String index = this.index != null ? this.index.toString() : role == null ? "-" : "0";
    String log = JobPath.log(job, role == null ? "-" : role, index, stream);
    String path = attempt == null ? log : log + "?attempt=" + attempt;
    long start = tail == null ? 0 : startOfTail(path);
    String followed = follow ? path + (attempt == null ? "?" : "&") + "follow=true" : path;
    new LogCopy(api(), followed, sink, LogCopy.Patience.USUAL).copy(start);
  }

  private long startOfTail(String path) {
    try {
      return new LogTail(api(), path).startOfLast(tail);
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.UNREACHABLE,
          Message.of("cli.unreachable", "url", api().base())
              .with("detail", String.valueOf(e.getMessage())));
    }
  }
}
