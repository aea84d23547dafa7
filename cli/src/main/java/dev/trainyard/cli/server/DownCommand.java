package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.api.LocalServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/**
 * {@code down}: stops the server of the data directory; jobs keep running unless {@code
 * --stop-jobs} is given.
 */
@picocli.CommandLine.Command(name = "down")
public final class DownCommand extends Command {
  private static final Duration EXIT_TIMEOUT = Duration.ofMinutes(1);
  private static final String JOBS_BY_STATE = "/api/v3/jobs?limit=500&state=";

  private static final String UNFINISHED_STATES = "WAITING,PAUSED,PREPARING,RUNNING,STOPPING";

  @Option(names = "--stop-jobs")
  private boolean stopJobs;

  public DownCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (session().namedServer().isPresent()) {
      throw session().usageError("cli.wrong.down-server");
    }
    Optional<LocalServer> server = LocalServer.find(session().data());
    Optional<ProcessHandle> process = server.flatMap(LocalServer::process);
    if (process.isEmpty()) {
      terminal().note(text("cli.down.none", "data", session().data()));
      return ExitCode.FAILED;
    }
    if (stopJobs) {
      stopJobs(session().apiFor(server.get().address(), LocalServer.token(session().data())));
    }
    if (!process.get().destroy()) {
      terminal().note(text("cli.down.refused", "pid", process.get().pid()));
      return ExitCode.NOT_ALLOWED;
    }
    terminal().status(text("cli.down.waiting"));
    try {
      process.get().onExit().get(EXIT_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      terminal().note(text("cli.down.stuck", "pid", process.get().pid()));
      return ExitCode.FAILED;
    }
    terminal().clearStatus();
    terminal().line(text("cli.down.done"));
    return ExitCode.OK;
  }

  /**
   * Stops jobs in batches until none is left. Running jobs come first because they take the longest
   * to stop; a waiting job that gets their resources in the meantime is stopped in the next round.
   */
  private void stopJobs(ApiClient api) throws InterruptedException {
    long stopped = 0;
    for (long pause = 50; ; pause = Math.min(1_000, pause * 2)) {
      long stoppedNow = stopPage(api, "PREPARING,RUNNING") + stopPage(api, "WAITING,PAUSED");
      stopped += stoppedNow;
      if (stoppedNow == 0) {
        int remaining = api.read(JOBS_BY_STATE + UNFINISHED_STATES).list("jobs").size();
        if (remaining == 0) {
          terminal().clearStatus();
          return;
        }
        terminal().status(text("cli.down.stopping-jobs", "n", remaining));
        Thread.sleep(pause);
      } else {
        pause = 25;
        terminal().status(text("cli.down.stopped-jobs", "n", stopped));
      }
    }
  }

  /** Stops a page of the jobs in these states; returns how many of them are stopping or stopped. */
  private static long stopPage(ApiClient api, String states) {
    List<String> ids =
        api.read(JOBS_BY_STATE + states).list("jobs").stream()
            .map(job -> job.string("id"))
            .toList();
    if (ids.isEmpty()) {
      return 0;
    }
    Json response = api.post("/api/v3/jobs/batch", Map.of("action", "stop", "jobs", ids));
    return response.list("results").stream().filter(result -> result.isTrue("ok")).count();
  }
}
