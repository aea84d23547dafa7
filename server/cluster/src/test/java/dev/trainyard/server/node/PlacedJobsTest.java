package dev.trainyard.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Usage;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PlacedJobsTest {
  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db).started();

  @AfterEach
  void close() {
    fixture.close();
    db.close();
  }

  @Test
  void load_secondMeasurement_isTheRateSinceTheFirst() {
    fixture.submit(JobFileText.of("a", "m", 1, 1, 0, ""));
    Job job = fixture.service().load(JobFixture.ALICE, "a");
    fixture.await(job, JobState.RUNNING);
    AtomicReference<Duration> cpuTime = new AtomicReference<>(Duration.ofSeconds(5));
    PlacedJobs placedJobs =
        new PlacedJobs(
            PlacedJobs.sourceOf(fixture.service()),
            _ -> Optional.of(new Usage(cpuTime.get(), DataSize.ZERO, 1)),
            () -> {},
            fixture.clock);
    var placements = fixture.pipeline().placements();
    assertThat(placements).hasSize(1);
    placedJobs.load(placements);

    fixture.clock.advance(Duration.ofSeconds(10));
    cpuTime.set(Duration.ofSeconds(165));
    assertThat(placedJobs.load(placements).get(job.id()).usedCpus())
        .isEqualTo(OptionalDouble.of(16));

    cpuTime.set(Duration.ofSeconds(1000));
    fixture.clock.advance(Duration.ofSeconds(1));
    assertThat(placedJobs.load(placements).get(job.id()).usedCpus())
        .as("shared for two seconds")
        .isEqualTo(OptionalDouble.of(16));
    assertThat(List.of(placements)).isNotEmpty();
  }

  /** Jobs whose tasks use the CPUs as far as the test advances the clock. */
  private PlacedJobs measuring(Map<TaskId, Duration> cpuTimes, Runnable pause) {
    return new PlacedJobs(
        PlacedJobs.sourceOf(fixture.service()),
        id -> Optional.ofNullable(cpuTimes.get(id)).map(time -> new Usage(time, DataSize.ZERO, 1)),
        pause,
        fixture.clock);
  }

  private Job running(String file) {
    return fixture.await(fixture.submit(file), JobState.RUNNING);
  }

  @Test
  void load_firstMeasurementAfterDays_isTheRateOfNow() {
    Job job = running(JobFileText.of("a", "m", 1, 1, 0, ""));
    TaskId task = fixture.task(job, 0);
    Map<TaskId, Duration> cpuTimes = new HashMap<>(Map.of(task, Duration.ofSeconds(1)));
    Runnable spin =
        () -> {
          fixture.clock.advance(Duration.ofMillis(250));
          cpuTimes.merge(task, Duration.ofMillis(500), Duration::plus);
        };
    PlacedJobs placedJobs = measuring(cpuTimes, spin);
    fixture.clock.advance(Duration.ofDays(3));
    var placements = fixture.pipeline().placements();
    assertThat(placedJobs.load(placements).get(job.id()).usedCpus())
        .isEqualTo(OptionalDouble.of(2));
    // The previous sample is too old.
    fixture.clock.advance(Duration.ofDays(3));
    assertThat(placedJobs.load(placements).get(job.id()).usedCpus())
        .isEqualTo(OptionalDouble.of(2));
  }

  @Test
  void load_recentSample_doesNotPause() {
    Job job = running(JobFileText.of("a", "m", 1, 1, 0, ""));
    AtomicInteger pauses = new AtomicInteger();
    PlacedJobs placedJobs =
        measuring(Map.of(fixture.task(job, 0), Duration.ZERO), pauses::incrementAndGet);
    var placements = fixture.pipeline().placements();
    for (int i = 0; i < 5; i++) {
      placedJobs.load(placements);
      fixture.clock.advance(Duration.ofSeconds(5));
    }
    assertThat(pauses).hasValue(1);
  }

  @Test
  void load_jobPlacedAfterTheMeasurement_averageSinceItsStartWithoutPause() {
    running(JobFileText.of("a", "m", 1, 1, 0, ""));
    AtomicInteger pauses = new AtomicInteger();
    Map<TaskId, Duration> cpuTimes = new HashMap<>();
    PlacedJobs placedJobs = measuring(cpuTimes, pauses::incrementAndGet);
    placedJobs.load(fixture.pipeline().placements());
    Job second = running(JobFileText.of("b", "m", 1, 1, 0, ""));
    cpuTimes.put(fixture.task(second, 0), Duration.ofSeconds(1));
    fixture.clock.advance(Duration.ofSeconds(1));
    assertThat(placedJobs.load(fixture.pipeline().placements()).get(second.id()).usedCpus())
        .isEqualTo(OptionalDouble.of(1));
    assertThat(pauses).hasValue(0);
  }

  @Test
  void load_taskRetriedOnItsOwn_measuresItsCurrentRun() {
    Job job =
        running(
            """
            protocolVersion: 2
            name: a
            type: job
            prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
            taskRoles:
              w:
                instances: 1
                dockerImage: i
                taskRetryCount: 1
                resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
                commands: ['true']
            extras: {gangAllocation: false}
            """);
    TaskId first = fixture.task(job, 0);
    fixture.engine.finish(first, 1);
    JobFixture.eventually(
        () -> fixture.engine.started().contains(first.nextRun()), "the second run");
    Map<TaskId, Duration> cpuTimes = new HashMap<>(Map.of(first.nextRun(), Duration.ofSeconds(9)));
    PlacedJobs placedJobs =
        measuring(
            cpuTimes,
            () -> {
              fixture.clock.advance(Duration.ofMillis(250));
              cpuTimes.merge(first.nextRun(), Duration.ofMillis(250), Duration::plus);
            });
    assertThat(placedJobs.load(fixture.pipeline().placements()).get(job.id()).usedCpus())
        .isEqualTo(OptionalDouble.of(1));
  }

  @Test
  void load_placedJobWithoutRow_isLookedUpOncePerInterval() {
    fixture.submit(JobFileText.of("a", "m", 1, 1, 0, ""));
    Job job = fixture.service().load(JobFixture.ALICE, "a");
    fixture.await(job, JobState.RUNNING);
    List<Collection<JobId>> lookups = new ArrayList<>();
    PlacedJobs.Source source =
        new PlacedJobs.Source() {
          @Override
          public List<Job> jobs(Collection<JobId> ids) {
            lookups.add(Set.copyOf(ids));
            return ids.contains(job.id()) ? List.of(job) : List.of();
          }

          @Override
          public Set<TaskId> retriedTasks(Collection<JobId> ids) {
            return Set.of();
          }
        };
    PlacedJobs placedJobs = new PlacedJobs(source, _ -> Optional.empty(), () -> {}, fixture.clock);
    JobId deleted = new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV");
    Map<JobId, List<TaskPlacement>> placements = new HashMap<>();
    placements.put(deleted, List.of());
    placedJobs.load(placements);
    assertThat(placedJobs.load(placements)).isEmpty();
    assertThat(lookups).containsExactly(Set.of(deleted));

    placements.putAll(fixture.pipeline().placements());
    assertThat(placedJobs.load(placements)).containsOnlyKeys(job.id());
    assertThat(placedJobs.load(placements)).containsOnlyKeys(job.id());
    assertThat(lookups).as("only the new job").hasSize(2).last().isEqualTo(Set.of(job.id()));

    fixture.clock.advance(Duration.ofSeconds(3));
    placedJobs.load(placements);
    assertThat(lookups).last().isEqualTo(Set.of(deleted, job.id()));
  }
}
