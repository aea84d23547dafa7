package dev.trainyard.server.feature;

import dev.trainyard.engine.Engine;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.token.JobTokens;
import dev.trainyard.server.user.User;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** How tasks reach the platform's API: by which address, and as whom. */
final class TaskAccess {
  private static final List<String> EVERYWHERE = List.of("0.0.0.0", "::");

  private final JobTokens tokens;
  private final Engine engine;
  private final Db db;
  private final JobStore jobs;
  private final Function<Job, Optional<User>> owners;
  private final String host;

  /** Empty until the server listens; what runs from before knows it already. */
  private volatile Optional<URI> url = Optional.empty();

  TaskAccess(
      CoreServices core, Engine engine, JobStore jobs, Function<Job, Optional<User>> owners) {
    this.tokens = JobTokens.open(core.directory());
    this.engine = engine;
    this.db = core.db();
    this.jobs = jobs;
    this.owners = owners;
    this.host = core.settings().value(Settings.HOST);
    core.tokens().jobsAreKnownBy(this::callerOf);
  }

  void listening(URI where) {
    url = Optional.of(where);
  }

  /** A server that listens everywhere is reached by the tasks already. */
  List<String> addresses() {
    return EVERYWHERE.contains(host) ? List.of() : engine.machineAddress().stream().toList();
  }

  /** The variables that tell a task. */
  Map<String, String> variables(Job job) {
    Map<String, String> variables = new LinkedHashMap<>();
    url.map(this::asTasksSeeIt).ifPresent(seen -> variables.put("TRAINYARD_URL", seen));
    variables.put("TRAINYARD_TOKEN", tokens.of(job.id(), job.status().attempt()));
    return variables;
  }

  private String asTasksSeeIt(URI where) {
    String usual = EVERYWHERE.contains(host) ? "127.0.0.1" : where.getHost();
    return where.getScheme()
        + "://"
        + engine.machineAddress().orElse(usual)
        + ":"
        + where.getPort();
  }

  /** A job's token counts as long as the attempt it was made for. */
  private Optional<Caller> callerOf(String token) {
    return tokens
        .read(token)
        .flatMap(
            claim ->
                db.<Optional<Job>>read(handle -> jobs.find(handle, claim.job()))
                    .filter(job -> job.status().attempt() == claim.attempt()))
        .filter(job -> !job.state().isFinal())
        .flatMap(
            job ->
                owners
                    .apply(job)
                    .filter(user -> !user.disabled())
                    .map(user -> Caller.ofJob(user.id(), user.name(), job.id().value())));
  }
}
