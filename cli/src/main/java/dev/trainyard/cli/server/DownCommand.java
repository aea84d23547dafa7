package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import dev.trainyard.model.AppException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/** {@code down}: ends the server of the data directory; jobs go on unless asked otherwise. */
@picocli.CommandLine.Command(name = "down")
public final class DownCommand extends Command {
  private static final Duration LONGEST_END = Duration.ofMinutes(1);
  private static final String UNFINISHED = "/api/v3/jobs?limit=500&state=";

  @Option(names = "--stop-jobs")
  private boolean stopJobs;

  public DownCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (session().namedServer().isPresent()) {
      throw session().wrong("cli.wrong.down-server");
    }
    Optional<LocalServer> server = LocalServer.find(session().data());
    Optional<ProcessHandle> process = server.flatMap(LocalServer::process);
    if (process.isEmpty()) {
      terminal().note(say("cli.down.none", "data", session().data()));
      return ExitCode.OK;
    }
    if (stopJobs) {
      stopJobs(session().with(server.get().address(), LocalServer.token(session().data())));
    }
    if (!process.get().destroy()) {
      terminal().note(say("cli.down.refused", "pid", process.get().pid()));
      return ExitCode.NOT_ALLOWED;
    }
    terminal().status(say("cli.down.waiting"));
    try {
      process.get().onExit().get(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      terminal().note(say("cli.down.stuck", "pid", process.get().pid()));
      return ExitCode.FAILED;
    }
    terminal().clearStatus();
    terminal().line(say("cli.down.done"));
    return ExitCode.OK;
  }

  /** The waiting ones first, or each that ends would make room for one of them. */
  private void stopJobs(Api api) throws InterruptedException {
    for (long pause = 50; ; pause = Math.min(1_000, pause * 2)) {
      stop(api, api.read(UNFINISHED + "WAITING,PAUSED").list("jobs"));
      List<Json> running =
          api.read(UNFINISHED + "WAITING,PAUSED,PREPARING,RUNNING,STOPPING").list("jobs");
      if (running.isEmpty()) {
        return;
      }
      stop(api, running.stream().filter(job -> !job.string("state").equals("STOPPING")).toList());
      terminal().status(say("cli.down.stopping-jobs", "n", running.size()));
      Thread.sleep(pause);
    }
  }

  private void stop(Api api, List<Json> jobs) {
    for (Json job : jobs) {
      try {
        api.send("POST", "/api/v3/jobs/" + Api.part(job.string("id")) + "/stop", new byte[0]);
      } catch (AppException e) {
        // It ended by itself in this moment; the next look at the list shows it.
        terminal().status(e.getMessage());
      }
    }
  }
}
