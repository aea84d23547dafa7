package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Admission;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.WatchedSink;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.work.Downloads;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Returns the URLs of a task's logs, and serves the logs at these URLs. In OpenPAI, a program on
 * each node serves the logs to every client that has the URL; on this platform, the server does.
 */
final class LogOperations implements OpenPaiRoutes.Source {
  private static final int TAIL_BYTES = 16_384;

  /** Maximum number of concurrent downloads of one user; each holds a file descriptor. */
  static final int MAX_DOWNLOADS = 16;

  /** The streams of which each log consists, by the name of the log. */
  private static final Map<String, List<LogStream>> LOGS =
      Map.of(
          "stdout", List.of(LogStream.STDOUT),
          "stderr", List.of(LogStream.STDERR),
          "all", List.of(LogStream.STDOUT, LogStream.STDERR));

  private final JobService service;
  private final JobAccess access;
  private final LogStore store;
  private final LogRemovalStore removals;
  private final LogLinks links;
  private final Downloads downloads = new Downloads(MAX_DOWNLOADS);

  LogOperations(
      JobService service,
      JobAccess access,
      LogStore store,
      LogRemovalStore removals,
      LogLinks links) {
    this.service = service;
    this.access = access;
    this.store = store;
    this.removals = removals;
    this.links = links;
  }

  @Override
  public List<Operation> operations() {
    String task = "/jobs/:job/attempts/:attempt/taskRoles/:role/taskIndex/:index";
    return List.of(v2("GET", task + "/attempts/:taskAttempt/logs", Guard.TOKEN, this::locations));
  }

  void addTo(Routes routes) {
    routes.addForeign(
        "GET",
        "/log-manager/:place/api/v1/logs/:log",
        BodyLimit.GENERAL,
        Admission.OPEN,
        this::read,
        OpenPaiErrors::reply);
  }

  private Object locations(PaiRequest request) {
    JobAccess.FoundTask foundTask = access.task(request);
    Job job = foundTask.job();
    int run = JobAccess.index(request.path("taskAttempt"));
    TaskId newest = foundTask.id();
    if (foundTask.task().isEmpty() || run < 0 || run > newest.retry() || isRemoved(job)) {
      throw noLog(PaiNames.frameworkName(job));
    }
    service.foreignAudit().recordLogRead(request.caller(), job);
    boolean tail = request.flag("tail-mode") || request.flag("tailMode");
    TaskId task = new TaskId(newest.job(), newest.attempt(), newest.role(), newest.index(), run);
    String query =
        "username=%s&framework-name=%s&pod-uid=%s&taskrole=%s&token=%s%s"
            .formatted(
                encoded(job.userName()),
                encoded(PaiNames.frameworkName(job)),
                PaiNames.containerUid(task),
                encoded(foundTask.key()),
                links.token(task, holder(request)),
                tail ? "&tail-mode=true" : "");
    List<Map<String, String>> locations = new ArrayList<>();
    for (String name : List.of("stdout", "stderr", "all")) {
      String uri =
          "/log-manager/%s:9103/api/v1/logs/user-%s?%s"
              .formatted(encoded(foundTask.task().get().node()), name, query);
      locations.add(Map.of("name", name, "uri", uri));
    }
    return Map.of("locations", locations);
  }

  private static LogLinks.Holder holder(PaiRequest request) {
    return new LogLinks.Holder(request.caller().userId(), request.caller().userName());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private boolean isRemoved(Job job) {
    return job.state().isFinal() && removals.find(job.id()).isPresent();
  }

  private static PaiException noLog(String name) {
    return new PaiException(404, "NoTaskLogError", "Log of task is not found: " + name);
  }

  /** Serves a log URL; its token is the only required authentication. */
  private Reply read(Request request) throws IOException {
    Optional<LogLinks.Grant> grant = request.query("token").flatMap(links::open);
    if (grant.isEmpty()) {
      return OpenPaiErrors.reply(PaiException.badToken());
    }
    TaskId task = grant.get().task();
    LogLinks.Holder holder = grant.get().holder();
    String log = request.path("log");
    String name = log.startsWith("user-") ? log.substring("user-".length()) : log;
    List<LogStream> streams = LOGS.get(name);
    Optional<Job> job = service.refresh(task.job());
    if (streams == null || job.isEmpty() || isRemoved(job.get())) {
      return OpenPaiErrors.reply(noLog(log));
    }
    if (!streams.stream().allMatch(stream -> store.isReadable(task, stream))) {
      return OpenPaiErrors.reply(noLog(log));
    }
    downloads.begin(holder.userId());
    boolean tail = request.query("tail-mode").map("true"::equals).orElse(false);
    Reply.Stream body = body(task, streams, tail ? TAIL_BYTES : Long.MAX_VALUE);
    Reply.Stream checkedBody =
        sink ->
            body.writeTo(
                new WatchedSink(sink, () -> links.mayRead(holder), WatchedSink.CHECK_INTERVAL));
    return Cors.open(Reply.of(200, checkedBody).with("Content-Type", "text/plain; charset=utf-8"));
  }

  /** Returns the last bytes of the concatenated streams. */
  private Reply.Stream body(TaskId task, List<LogStream> streams, long maxBytes)
      throws IOException {
    List<Long> lengths = new ArrayList<>();
    long total = 0;
    for (LogStream stream : streams) {
      lengths.add(store.length(task, stream));
      total += lengths.getLast();
    }
    long skipped = Math.max(0, total - maxBytes);
    return sink -> {
      long bytesToSkip = skipped;
      for (int i = 0; i < streams.size(); i++) {
        long from = Math.min(bytesToSkip, lengths.get(i));
        bytesToSkip -= from;
        store.copy(task, streams.get(i), from, lengths.get(i), sink);
      }
    };
  }
}
