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

/**
 * Gives tasks access to the platform's API: provides the URL and credentials and verifies the
 * credentials.
 */
final class TaskAccess {
  private static final List<String> ANY_ADDRESS = List.of("0.0.0.0", "::");

  private final JobTokens tokens;
  private final Engine engine;
  private final Db db;
  private final JobStore jobs;
  private final Function<Job, Optional<User>> owners;
  private final String host;

  /**
   * URL of this server; empty until the server listens. Tasks that an earlier server process
   * started already have the URL.
   */
  private volatile Optional<URI> url = Optional.empty();

  TaskAccess(
      CoreServices core, Engine engine, JobStore jobs, Function<Job, Optional<User>> owners) {
    this.tokens = JobTokens.open(core.directory());
    this.engine = engine;
    this.db = core.db();
    this.jobs = jobs;
    this.owners = owners;
    this.host = core.settings().value(Settings.HOST);
    core.tokens().setJobAuthenticator(this::callerOf);
  }

  void listening(URI serverUrl) {
    url = Optional.of(serverUrl);
  }

  /**
   * Returns the address at which the server must additionally listen for requests from tasks. Empty
   * if the server listens on all addresses or the engine needs no other address.
   */
  List<String> addresses() {
    return ANY_ADDRESS.contains(host) ? List.of() : engine.hostAddress().stream().toList();
  }

  /** Returns the environment variables that provide this access to a task. */
  Map<String, String> variables(Job job) {
    Map<String, String> variables = new LinkedHashMap<>();
    url.map(this::urlForTasks).ifPresent(address -> variables.put("TRAINYARD_URL", address));
    variables.put("TRAINYARD_TOKEN", tokens.of(job.id(), job.status().attempt()));
    return variables;
  }

  private String urlForTasks(URI serverUrl) {
    String defaultHost = ANY_ADDRESS.contains(host) ? "127.0.0.1" : serverUrl.getHost();
    return serverUrl.getScheme()
        + "://"
        + engine.hostAddress().orElse(defaultHost)
        + ":"
        + serverUrl.getPort();
  }

  /**
   * Returns the caller that a job token authenticates. The token is valid only during the attempt
   * for which it was issued.
   */
  private Optional<Caller> callerOf(String token) {
    return tokens
        .verify(token)
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
