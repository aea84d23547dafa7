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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Provides the jobs that hold resources, with the number of CPUs that their processes use. All
 * requests within two seconds share one measurement, because a measurement reads files of every
 * running task; only jobs that were placed after the measurement are measured additionally.
 * Thread-safe.
 */
final class PlacedJobs {
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(2);

  /** Maximum age of a sample. An older sample does not reflect the current CPU usage of a task. */
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(30);

  /** Time between the two samples of a task that has no recent sample. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Source source;
  private final Function<TaskId, Optional<Usage>> usage;
  private final Runnable pause;
  private final InstantSource clock;

  private Instant measured = Instant.MIN;
  private Set<JobId> measuredIds = new HashSet<>();
  private Map<TaskId, Sample> samples = Map.of();
  private Map<JobId, PlacedJob> placedJobs = Map.of();

  /**
   * @param usedCpus average number of used CPUs; empty if the engine does not measure CPU usage.
   *     The period starts at the previous sample of a task, or if this sample is too old, a
   *     fraction of a second ago. For a job that was placed after the shared measurement, the
   *     period starts when the job started.
   */
  record PlacedJob(Job job, OptionalDouble usedCpus) {}

  /** Source of the stored jobs. */
  interface Source {
    /** Returns the jobs with these IDs; omits deleted jobs. */
    List<Job> jobs(Collection<JobId> ids);

    /** Returns the current runs of all individually retried tasks of these jobs. */
    Set<TaskId> retriedTasks(Collection<JobId> ids);
  }

  /** CPU time that a task had used at a point in time. */
  private record Sample(Instant time, Duration cpuTime) {}

  /**
   * @param pause waits until a second sample of the tasks can be taken
   */
  PlacedJobs(
      Source source, Function<TaskId, Optional<Usage>> usage, Runnable pause, InstantSource clock) {
    this.source = source;
    this.usage = usage;
    this.pause = pause;
    this.clock = clock;
  }

  static PlacedJobs of(
      JobService jobs, Function<TaskId, Optional<Usage>> usage, InstantSource clock) {
    return new PlacedJobs(sourceOf(jobs), usage, PlacedJobs::pause, clock);
  }

  static Source sourceOf(JobService jobs) {
    return new Source() {
      @Override
      public List<Job> jobs(Collection<JobId> ids) {
        return jobs.lists().findAll(ids);
      }

      @Override
      public Set<TaskId> retriedTasks(Collection<JobId> ids) {
        return jobs.lists().retriedTasks(ids);
      }
    };
  }

  private static void pause() {
    try {
      boolean _ = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the jobs with these placements, except deleted jobs. The result may also contain jobs
   * of the shared measurement that no longer hold resources.
   */
  synchronized Map<JobId, PlacedJob> load(Map<JobId, List<TaskPlacement>> placements) {
    Instant now = clock.instant();
    boolean recent = measured.isAfter(now.minus(MIN_INTERVAL)) && !measured.isAfter(now);
    Set<JobId> toMeasure = new HashSet<>(placements.keySet());
    Map<JobId, PlacedJob> newJobs = new HashMap<>();
    Map<TaskId, Sample> newSamples = new HashMap<>();
    if (recent) {
      // measuredIds contains deleted jobs too, so that they are not looked up for every request.
      toMeasure.removeAll(measuredIds);
      if (toMeasure.isEmpty()) {
        return placedJobs;
      }
      newJobs.putAll(placedJobs);
      newSamples.putAll(samples);
      measuredIds.addAll(toMeasure);
    } else {
      measuredIds = new HashSet<>(toMeasure);
    }
    List<Job> jobs = source.jobs(toMeasure);
    Map<JobId, List<TaskId>> tasks = currentTasks(jobs, placements);
    if (!recent) {
      addMissingSamples(tasks);
      // Set after the pause, so that requests that waited for this measurement share it.
      measured = clock.instant();
    }
    for (Job job : jobs) {
      newJobs.put(job.id(), new PlacedJob(job, usedCpus(job, tasks.get(job.id()), newSamples)));
    }
    placedJobs = Map.copyOf(newJobs);
    samples = newSamples;
    return placedJobs;
  }

  private Map<JobId, List<TaskId>> currentTasks(
      List<Job> jobs, Map<JobId, List<TaskPlacement>> placements) {
    Map<TaskId, TaskId> runs = new HashMap<>();
    if (!jobs.isEmpty()) {
      for (TaskId run : source.retriedTasks(jobs.stream().map(Job::id).toList())) {
        runs.put(new TaskId(run.job(), run.attempt(), run.role(), run.index()), run);
      }
    }
    Map<JobId, List<TaskId>> tasks = new HashMap<>();
    for (Job job : jobs) {
      List<TaskId> ids = new ArrayList<>();
      for (TaskPlacement task : placements.getOrDefault(job.id(), List.of())) {
        TaskId id = new TaskId(job.id(), job.status().attempt(), task.role(), task.index());
        ids.add(runs.getOrDefault(id, id));
      }
      tasks.put(job.id(), ids);
    }
    return tasks;
  }

  /**
   * Takes a first sample of every task that has no recent sample, then waits until the second
   * sample can be taken.
   */
  private void addMissingSamples(Map<JobId, List<TaskId>> tasks) {
    Instant now = clock.instant();
    Instant oldest = now.minus(MAX_INTERVAL);
    Map<TaskId, Sample> known = new HashMap<>(samples);
    known.values().removeIf(sample -> sample.time().isBefore(oldest));
    boolean added = false;
    for (List<TaskId> ids : tasks.values()) {
      for (TaskId id : ids) {
        Optional<Duration> cpuTime =
            known.containsKey(id) ? Optional.empty() : usage.apply(id).map(Usage::cpuTime);
        if (cpuTime.isPresent()) {
          known.put(id, new Sample(now, cpuTime.get()));
          added = true;
        }
      }
    }
    samples = known;
    if (added) {
      pause.run();
    }
  }

  private OptionalDouble usedCpus(Job job, List<TaskId> tasks, Map<TaskId, Sample> newSamples) {
    double cpus = 0;
    boolean known = false;
    for (TaskId id : tasks) {
      Optional<Duration> cpuTime = usage.apply(id).map(Usage::cpuTime);
      if (cpuTime.isPresent()) {
        known = true;
        Instant now = clock.instant();
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
