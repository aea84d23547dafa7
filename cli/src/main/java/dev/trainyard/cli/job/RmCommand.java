package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.terminal.SystemTerminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rm JOB…}: deletes finished jobs with their logs, after confirmation on a terminal. */
@picocli.CommandLine.Command(name = "rm")
public final class RmCommand extends Command {
  @Parameters(paramLabel = "JOB", arity = "1..*", descriptionKey = "jobs")
  private List<String> jobs;

  @Option(names = {"-f", "-y", "--yes"})
  private boolean yes;

  public RmCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    boolean needsConfirmation =
        !yes && terminal().look().errIsTerminal() && SystemTerminal.isTerminal(0);
    if (needsConfirmation && !isConfirmed()) {
      terminal().note(say("cli.rm.kept"));
      return ExitCode.FAILED;
    }
    return JobBatch.forEach(session(), jobs, this::remove);
  }

  private void remove(String job) {
    api().delete(JobPath.of(job));
    if (!session().json()) {
      terminal().line(say("cli.rm.done", "job", job));
    }
  }

  private boolean isConfirmed() {
    terminal().note(say("cli.rm.ask", "jobs", String.join(" ", jobs)));
    try {
      String answer = readFirstLine(session().environment().in()).strip().toLowerCase(Locale.ROOT);
      return answer.equals("y") || answer.equals("yes") || answer.equals("是");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String readFirstLine(InputStream in) throws IOException {
    var line = new java.io.ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
    }
    return line.toString(java.nio.charset.StandardCharsets.UTF_8);
  }
}
