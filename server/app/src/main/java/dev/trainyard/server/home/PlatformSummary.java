package dev.trainyard.server.home;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.signup.SignUpModule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Summary for administrators: the queue, the nodes, open requests and warnings. */
public final class PlatformSummary {
  private final Db db;
  private final JobStore jobs;
  private final QueuePipeline queue;
  private final CordonService cordons;
  private final Supplier<List<Message>> warnings;

  public PlatformSummary(
      Db db,
      JobStore jobs,
      QueuePipeline queue,
      CordonService cordons,
      Supplier<List<Message>> warnings) {
    this.db = db;
    this.jobs = jobs;
    this.queue = queue;
    this.cordons = cordons;
    this.warnings = warnings;
  }

  Map<String, Object> view() {
    Map<JobState, Long> counts = db.read(jobs::countUnfinished);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("waitingJobs", counts.getOrDefault(JobState.WAITING, 0L));
    view.put("runningJobs", counts.getOrDefault(JobState.RUNNING, 0L));
    view.put("nodes", queue.nodes().size());
    view.put("cordonedNodes", cordons.nodes().size());
    view.put("openRequests", db.read(SignUpModule::countOpenRequests));
    view.put("pendingSignUps", db.read(SignUpModule::countPendingSignUps));
    view.put("warnings", warnings.get().stream().map(PlatformSummary::warning).toList());
    return view;
  }

  private static Map<String, Object> warning(Message message) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("code", message.code());
    view.put("message", message.english());
    view.put("params", message.params());
    return view;
  }
}
