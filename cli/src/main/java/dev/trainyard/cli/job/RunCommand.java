package dev.trainyard.cli.job;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.cli.server.StatusSummary;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run FILE}: submits a job, follows it until it finishes and exits with its exit code. */
@picocli.CommandLine.Command(name = "run")
public final class RunCommand extends Command {
  @Parameters(paramLabel = "FILE", descriptionKey = "file")
  private String file;

  @Option(names = {"-d", "--detach"})
  private boolean detach;

  @Option(names = "--vc", paramLabel = "NAME")
  private String virtualCluster;

  public RunCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (session().json() && !detach) {
      throw session().usageError("cli.wrong.no-json", "command", "run");
    }
    Submission submission = new Submission(session(), file);
    byte[] text = submission.read();
    ensureServer();
    Optional<Json> acceptedJob = submission.send(text, true, virtualCluster);
    if (acceptedJob.isEmpty()) {
      return ExitCode.FAILED;
    }
    if (detach) {
      SubmitCommand.report(session(), acceptedJob.get());
      return ExitCode.OK;
    }
    Json job = acceptedJob.get();
    JobText jobText = new JobText(localizer(), job);
    terminal().note(text("cli.submit.done", "job", jobText.fullName()));
    if (job.isTrue("neverFits")) {
      // Waiting for a node that may never be added would look like a hang.
      terminal().note(text("cli.never-fits", "reason", jobText.reason().orElse("")));
      terminal().note(text("cli.run.left-waiting", "job", jobText.fullName()));
      return ExitCode.FAILED;
    }
    return JobRun.followToEnd(session(), job);
  }

  private void ensureServer() {
    if (!session().server().isLocal() || isServerRunning()) {
      return;
    }
    LocalServer started =
        session().environment().background().start(session().data(), List.of(), session());
    terminal().clearStatus();
    terminal().note(text("cli.run.started-server", "url", started.address()));
    session().refresh();
    new StatusSummary(session()).printIfAvailable();
  }

  private boolean isServerRunning() {
    Optional<LocalServer> localServer = LocalServer.find(session().data());
    if (localServer.flatMap(LocalServer::process).isPresent()) {
      // A server process that is running but unreachable is a problem that a second server would
      // not solve.
      return true;
    }
    // With --data, a server of another data directory on the default port must not be used.
    boolean mayBeOtherServer = localServer.isEmpty() && session().isDataDirectoryGiven();
    return !mayBeOtherServer && session().api().isResponding();
  }
}
