package dev.trainyard.server.node;

import dev.trainyard.engine.Usage;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * The jobs that hold resources, with the number of CPUs that their processes use. All requests
 * share one measurement for two seconds, because a measurement reads files of every running task;
 * only jobs that were placed in the meantime are added to it. Thread-safe.
 */
final class PlacedJobs {
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(2);

  private final Function<Collection<JobId>, List<Job>> jobs;
  private final Function<TaskId, Optional<Usage>> usage;
  private final InstantSource clock;

  private Instant measured = Instant.MIN;
  private Set<JobId> measuredIds = new HashSet<>();
  private Map<TaskId, Sample> samples = Map.of();
  private Map<JobId, PlacedJob> placedJobs = Map.of();

  /**
   * @param usedCpus average since the previous measurement, or since the job started; empty if the
   *     engine does not measure it
   */
  record PlacedJob(Job job, OptionalDouble usedCpus) {}

  /** The CPU time of a task at a time. */
  private record Sample(Instant time, Duration cpuTime) {}

  PlacedJobs(
      Function<Collection<JobId>, List<Job>> jobs,
      Function<TaskId, Optional<Usage>> usage,
      InstantSource clock) {
    this.jobs = jobs;
    this.usage = usage;
    this.clock = clock;
  }

  static PlacedJobs of(
      JobService jobs, Function<TaskId, Optional<Usage>> usage, InstantSource clock) {
    return new PlacedJobs(jobs.lists()::findAll, usage, clock);
  }

  /** Returns the jobs with these placements; a job that was deleted in the meantime is missing. */
  synchronized Map<JobId, PlacedJob> load(Map<JobId, List<TaskPlacement>> placements) {
    Instant now = clock.instant();
    boolean recent = measured.isAfter(now.minus(MIN_INTERVAL)) && !measured.isAfter(now);
    Set<JobId> toMeasure = new HashSet<>(placements.keySet());
    Map<JobId, PlacedJob> newJobs = new HashMap<>();
    Map<TaskId, Sample> newSamples = new HashMap<>();
    if (recent) {
      // Includes jobs without a row, so that they are not looked up for every request.
      toMeasure.removeAll(measuredIds);
      if (toMeasure.isEmpty()) {
        return placedJobs;
      }
      newJobs.putAll(placedJobs);
      newSamples.putAll(samples);
      measuredIds.addAll(toMeasure);
    } else {
      measured = now;
      measuredIds = new HashSet<>(toMeasure);
    }
    for (Job job : jobs.apply(toMeasure)) {
      List<TaskPlacement> tasks = placements.getOrDefault(job.id(), List.of());
      newJobs.put(job.id(), new PlacedJob(job, usedCpus(job, tasks, now, newSamples)));
    }
    placedJobs = Map.copyOf(newJobs);
    samples = newSamples;
    return placedJobs;
  }

  private OptionalDouble usedCpus(
      Job job, List<TaskPlacement> tasks, Instant now, Map<TaskId, Sample> newSamples) {
    double cpus = 0;
    boolean known = false;
    for (TaskPlacement task : tasks) {
      TaskId id = new TaskId(job.id(), job.status().attempt(), task.role(), task.index());
      Optional<Duration> cpuTime = usage.apply(id).map(Usage::cpuTime);
      if (cpuTime.isPresent()) {
        known = true;
        newSamples.put(id, new Sample(now, cpuTime.get()));
        Sample previous = samples.get(id);
        Instant since = previous == null ? job.status().started().orElse(now) : previous.time();
        Duration used = previous == null ? cpuTime.get() : cpuTime.get().minus(previous.cpuTime());
        cpus += ratio(used, Duration.between(since, now));
      }
    }
    return known ? OptionalDouble.of(Math.round(10 * cpus) / 10.0) : OptionalDouble.empty();
  }

  private static double ratio(Duration used, Duration elapsed) {
    return elapsed.compareTo(Duration.ofMillis(100)) < 0
        ? 0
        : Math.max(0, (double) used.toNanos() / elapsed.toNanos());
  }
}
