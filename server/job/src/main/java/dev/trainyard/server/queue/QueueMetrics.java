package dev.trainyard.server.queue;

import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.FinishedJobStore;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.metric.MetricText;
import dev.trainyard.server.metric.Metrics;
import java.util.Locale;
import java.util.Map;

/** Metrics of the queue. */
public final class QueueMetrics implements Metrics.Source {
  private final Db db;
  private final JobStore jobs;
  private final QueuePipeline queue;

  public QueueMetrics(Db db, JobStore jobs, QueuePipeline queue) {
    this.db = db;
    this.jobs = jobs;
    this.queue = queue;
  }

  @Override
  public void writeTo(MetricText text) {
    Map<JobState, Long> counts = db.read(jobs::countUnfinished);
    text.family("trainyard_jobs", "gauge", "Unfinished jobs by state.");
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        text.sample(
            "trainyard_jobs",
            Map.of("state", state.name().toLowerCase(Locale.ROOT)),
            counts.getOrDefault(state, 0L));
      }
    }
    text.family("trainyard_jobs_finished_total", "counter", "Finished jobs by result.");
    db.read(FinishedJobStore::load)
        .forEach(
            (state, count) ->
                text.sample(
                    "trainyard_jobs_finished_total",
                    Map.of("result", state.name().toLowerCase(Locale.ROOT)),
                    count));
    NodeMetrics.write(text, queue.nodes(), queue.placements());
    text.family("trainyard_queue_depth", "gauge", "Jobs waiting for resources.");
    text.sample("trainyard_queue_depth", queue.depth());
    PlanningCost cost = queue.planningCost();
    text.family("trainyard_queue_planning_seconds", "summary", "Duration of planning.");
    text.sample("trainyard_queue_planning_seconds_sum", cost.totalDuration().toNanos() / 1e9);
    text.sample("trainyard_queue_planning_seconds_count", cost.plans());
  }
}
