package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

@EveryDatabase
class JobListQueryTest {
  private static final List<JobState> STATES = List.copyOf(EnumSet.allOf(JobState.class));
  private static final Instant NOW = Instant.EPOCH;
  private static final List<String> NAMES = List.of("a", "A", "a-1", "a.b", "a_b", "b", "ab", "B-");

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final Random random = new Random(3);

  JobListQueryTest(Db db) {
    this.db = db;
  }

  /** Compares every combination of filters with a filtered in-memory list. */
  @Test
  void run_matchesInMemoryFilter() {
    List<Job> jobs =
        db.write(
            handle -> {
              List<Job> created = new ArrayList<>();
              Ulid ids = new Ulid(InstantSource.fixed(NOW));
              for (int i = 0; i < 200; i++) {
                created.addFirst(store(handle, new JobId(ids.next()), i));
              }
              return created;
            });
    for (int i = 0; i < 400; i++) {
      JobFilter filter = filter(jobs);
      List<JobId> expected =
          jobs.stream()
              .filter(job -> matches(job, filter))
              .limit(filter.limit())
              .map(Job::id)
              .toList();
      List<JobId> found =
          db.read(handle -> new JobListQuery(filter).run(handle)).stream().map(Job::id).toList();
      assertThat(found).as("%s", filter).isEqualTo(expected);
    }
  }

  private Job store(Handle handle, JobId id, int i) {
    String user = "u" + random.nextInt(3);
    JobSpec spec =
        JobFiles.parse(JobFileText.named(NAMES.get(random.nextInt(NAMES.size())) + i))
            .spec()
            .orElseThrow();
    Job job = Job.submitted(id, user, user, spec, NOW);
    assertThat(store.insert(handle, job, new JobConfig("", spec, List.of()))).isTrue();
    JobState state = STATES.get(random.nextInt(STATES.size()));
    if (state == JobState.WAITING) {
      return job;
    }
    if (job.state().canBecome(state)) {
      return store.change(handle, job, ended(job, state)).orElseThrow();
    }
    Job preparing = store.change(handle, job, job.status().preparing()).orElseThrow();
    return store.change(handle, preparing, ended(preparing, state)).orElseThrow();
  }

  private static JobStatus ended(Job job, JobState state) {
    return job.status().ended(state, OptionalInt.empty(), Optional.empty(), NOW);
  }

  private JobFilter filter(List<Job> jobs) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    for (int i = random.nextInt(3); i > 0; i--) {
      states.add(STATES.get(random.nextInt(STATES.size())));
    }
    return new JobFilter(
        switch (random.nextInt(3)) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of(List.of("u1"));
          default -> Optional.of(List.of("u0", "u2"));
        },
        states,
        random.nextBoolean() ? "" : NAMES.get(random.nextInt(NAMES.size())),
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(jobs.get(random.nextInt(jobs.size())).id()),
        1 + random.nextInt(60));
  }

  private static boolean matches(Job job, JobFilter filter) {
    return filter.owners().map(owners -> owners.contains(job.userId())).orElse(true)
        && (filter.states().isEmpty() || filter.states().contains(job.state()))
        && job.name().startsWith(filter.namePrefix())
        && filter.after().map(after -> job.id().compareTo(after) < 0).orElse(true);
  }
}
