package dev.trainyard.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Usage;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
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
        PlacedJobs.of(
            fixture.service(),
            _ -> Optional.of(new Usage(cpuTime.get(), DataSize.ZERO, 1)),
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

  @Test
  void load_placedJobWithoutRow_isLookedUpOncePerInterval() {
    fixture.submit(JobFileText.of("a", "m", 1, 1, 0, ""));
    Job job = fixture.service().load(JobFixture.ALICE, "a");
    fixture.await(job, JobState.RUNNING);
    List<Collection<JobId>> lookups = new ArrayList<>();
    PlacedJobs placedJobs =
        new PlacedJobs(
            ids -> {
              lookups.add(Set.copyOf(ids));
              return ids.contains(job.id()) ? List.of(job) : List.of();
            },
            _ -> Optional.empty(),
            fixture.clock);
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
