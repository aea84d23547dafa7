package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Refusal;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run FILE}: from a job file to its end in one command, with the job's exit code. */
@picocli.CommandLine.Command(name = "run")
public final class RunCommand extends Command {
  @Parameters(paramLabel = "FILE", descriptionKey = "file")
  private String file;

  @Option(names = {"-d", "--detach"})
  private boolean detach;

  public RunCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (session().json() && !detach) {
      throw session().wrong("cli.wrong.no-json", "command", "run");
    }
    Submission submission = new Submission(session(), file);
    byte[] text = submission.read();
    ensureServer();
    Optional<Json> accepted = submission.send(text, true);
    if (accepted.isEmpty()) {
      return ExitCode.FAILED;
    }
    if (detach) {
      SubmitCommand.tell(session(), accepted.get());
      return ExitCode.OK;
    }
    Json job = accepted.get();
    JobText said = new JobText(words(), job);
    terminal().note(say("cli.submit.done", "job", said.fullName()));
    if (job.isTrue("neverFits")) {
      // Waiting for a machine that may never come would look like a hang.
      terminal().note(say("cli.never-fits", "reason", said.reason().orElse("")));
      terminal().note(say("cli.run.left-waiting", "job", said.fullName()));
      return ExitCode.FAILED;
    }
    session().world().interrupts().onInterrupt(() -> stop(job));
    Json ended = new JobFollower(session(), job.string("id")).follow();
    tellEnd(ended);
    return exitCode(ended);
  }

  private void ensureServer() {
    if (!session().found().local() || isServerThere()) {
      return;
    }
    LocalServer started =
        session().world().background().start(session().data(), List.of(), session());
    terminal().clearStatus();
    terminal().note(say("cli.run.started-server", "url", started.address()));
    session().lookAgain();
  }

  private boolean isServerThere() {
    Optional<LocalServer> described = LocalServer.find(session().data());
    if (described.flatMap(LocalServer::process).isPresent()) {
      // One that runs but can't be talked to is a trouble a second one would not mend.
      return true;
    }
    // Who names a data directory does not mean whatever server has the usual port.
    boolean elsewhere = described.isEmpty() && session().isDataNamed();
    return !elsewhere && session().api().isAnswering();
  }

  private void stop(Json job) {
    String name = new JobText(words(), job).fullName();
    terminal().note(say("cli.run.stopping", "job", name));
    try {
      api().send("POST", JobPath.of(job.string("id")) + "/stop", new byte[0]);
    } catch (AppException refusal) {
      terminal().note(Refusal.text(session(), refusal));
    }
  }

  private void tellEnd(Json job) {
    JobText text = new JobText(words(), job);
    String sentence = text.about(text.why(System.currentTimeMillis()));
    boolean succeeded = job.string("state").equals("SUCCEEDED");
    if (!succeeded || terminal().look().errIsTerminal()) {
      terminal().note(terminal().styledError(succeeded ? Style.GOOD : Style.BAD, sentence));
    }
  }

  /** The job's own code where it has one that says the same as its state. */
  static int exitCode(Json job) {
    int code = job.findLong("exitCode").map(Long::intValue).orElse(0);
    return switch (job.string("state")) {
      case "SUCCEEDED" -> code & 0xFF;
      case "STOPPED" -> ExitCode.STOPPED;
      default -> (code & 0xFF) == 0 ? ExitCode.FAILED : code & 0xFF;
    };
  }
}
