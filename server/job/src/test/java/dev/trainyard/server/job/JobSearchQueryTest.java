package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.JobSearch.StateFilter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

@EveryDatabase
class JobSearchQueryTest {
  private static final Caller ADMIN = new Caller("u9", "root", true, "t9");
  private static final List<String> NAMES = List.of("a", "A-b", "a_b", "a.b", "100", "Zeta");
  private static final List<String> TAGS = List.of("x", "y", "z%");

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final Random random = new Random(7);
  private final Map<JobId, List<String>> tags = new HashMap<>();

  JobSearchQueryTest(Db db) {
    this.db = db;
  }

  /** Compares many searches with a filtered in-memory list. */
  @Test
  void search_matchesInMemoryFilter() {
    List<Job> jobs = store();
    for (int i = 0; i < 400; i++) {
      Caller caller = random.nextInt(4) == 0 ? new Caller("u1", "user1", false, "t1") : ADMIN;
      assertResult(jobs, caller, search());
    }
  }

  /** Tests more members than a query lists individually. */
  @Test
  void search_largeTeam_matchesInMemoryFilter() {
    List<Job> jobs = store();
    db.write(
        handle -> {
          for (int i = 10; i < 600; i++) {
            storeUser(handle, i);
            storeMember(handle, "g1", "u" + i);
          }
          return null;
        });
    for (int i = 0; i < 50; i++) {
      assertResult(jobs, new Caller("u1", "user1", false, "t1"), search());
    }
  }

  /** Pages of all jobs use a separate query, and pages near the beginning another one. */
  @Test
  void search_allJobs_fromAnyOffset() {
    List<Job> jobs = store();
    for (int offset : new int[] {0, 1, 20, 21, 140, 150, 151}) {
      for (int limit : new int[] {0, 1, 20, 200}) {
        assertResult(jobs, ADMIN, all(true, offset, limit));
        assertResult(jobs, ADMIN, all(false, offset, limit));
      }
    }
  }

  @Test
  void listItems_equalValuesOfFullJobs() {
    List<Job> jobs = store();
    db.write(
        handle ->
            handle.execute(
                """
                update job set role_count = 2, task_count = 3, submitted = 4, started = 5, \
                exit_code = 6, retries = 7, faults = 8, conflicts = 9, not_before = 10, \
                back_off = 11, stopped_by = 'somebody', stop_grace = 12 where id = ?\
                """,
                jobs.getLast().id().value()));
    JobLists lists = new JobLists(db);
    JobSearch search = all(true, 0, 200);
    JobLists.FoundJobs<JobListItem> lines = lists.listItems(ADMIN, search);
    JobLists.FoundJobs<Job> fullJobs = lists.search(ADMIN, search);
    assertThat(lines.jobs())
        .hasSize(jobs.size())
        .isEqualTo(fullJobs.jobs().stream().map(JobSearchQueryTest::line).toList());
    assertThat(lines.tags()).isEqualTo(fullJobs.tags()).isEqualTo(tags);
  }

  private static JobListItem line(Job job) {
    JobStatus status = job.status();
    return new JobListItem(
        job.id(),
        job.userName(),
        job.name(),
        job.virtualCluster(),
        job.devices(),
        job.taskCount(),
        job.roleCount(),
        job.priority(),
        job.submitted(),
        job.state(),
        status.attempt(),
        status.started(),
        status.ended(),
        status.exitCode(),
        status.stopCause(),
        status.retries().past().counted(),
        status.retries().past().conflicts(),
        status.retries().notBefore(),
        status.retries().backOff());
  }

  private static JobSearch all(boolean descending, int offset, int limit) {
    return new JobSearch(
        JobSearch.OwnerScope.USUAL,
        List.of(),
        List.of(),
        List.of(),
        "",
        List.of(),
        List.of(),
        List.of(),
        JobSearch.TimeRange.ALL,
        JobSearch.Order.SUBMITTED,
        descending,
        offset,
        limit,
        true);
  }

  private void assertResult(List<Job> jobs, Caller caller, JobSearch search) {
    List<Job> matching =
        jobs.stream()
            .filter(job -> isInScope(caller, job, search.ownerScope()) && matches(job, search))
            .toList();
    List<JobId> expected =
        matching.stream()
            .sorted(order(search))
            .skip(search.offset())
            .limit(search.limit())
            .map(Job::id)
            .toList();
    JobLists.FoundJobs<Job> found = new JobLists(db).search(caller, search);
    assertThat(found.jobs().stream().map(Job::id)).as("%s", search).isEqualTo(expected);
    assertThat(found.total().orElse(-1)).isEqualTo(search.withTotal() ? matching.size() : -1);
    found
        .jobs()
        .forEach(
            job ->
                assertThat(found.tags().getOrDefault(job.id(), List.of()))
                    .isEqualTo(tags.getOrDefault(job.id(), List.of())));
  }

  private List<Job> store() {
    return db.write(
        handle -> {
          storeGroups(handle);
          List<Job> created = new ArrayList<>();
          for (int i = 0; i < 150; i++) {
            Ulid ids = new Ulid(InstantSource.fixed(submitted(i)));
            created.add(store(handle, new JobId(ids.next()), i));
          }
          return created;
        });
  }

  private static Instant submitted(int job) {
    return Instant.ofEpochMilli(1_000 + job);
  }

  private static boolean isInScope(Caller caller, Job job, JobSearch.OwnerScope scope) {
    boolean own = caller.userId().equals(job.userId());
    boolean colleague = !caller.admin() && job.userId().equals("u2");
    return switch (scope) {
      case USUAL -> own || caller.admin();
      case OWN -> own;
      case TEAM -> own || colleague;
      case ALL -> own || colleague || caller.admin();
    };
  }

  /** Users 1 and 2 share their jobs; 0 and 1 are also in a group that does not share jobs. */
  private static void storeGroups(Handle handle) {
    for (int i = 0; i < 3; i++) {
      storeUser(handle, i);
    }
    for (int i = 0; i < 2; i++) {
      handle.execute(
          "insert into team_group"
              + " (name, name_key, description, external_name, admin, limits, shares_jobs)"
              + " values (?, ?, '', '', 0, '{}', ?)",
          "g" + i,
          "g" + i,
          i);
      for (int member : new int[] {i, i + 1}) {
        storeMember(handle, "g" + i, "u" + member);
      }
    }
  }

  private static void storeUser(Handle handle, int i) {
    handle.execute(
        "insert into users (id, name, name_key, password, admin, disabled, id_range, created)"
            + " values (?, ?, ?, '', 0, 0, ?, 0)",
        "u" + i,
        "user" + i,
        "user" + i,
        1_000 + i);
  }

  private static void storeMember(Handle handle, String group, String user) {
    handle.execute("insert into group_member (group_name, user_id) values (?, ?)", group, user);
  }

  private Job store(Handle handle, JobId id, int i) {
    String user = "user" + random.nextInt(3);
    String text = JobFileText.named(NAMES.get(random.nextInt(NAMES.size())) + i);
    JobConfig config = new JobConfig(text, JobFiles.parse(text).spec().orElseThrow(), List.of());
    Job created = Job.submitted(id, "u" + user.substring(4), user, config.spec(), submitted(i));
    store.insert(handle, created, config);
    String priority = random.nextInt(3) == 0 ? "prod" : null;
    JobState state = any(JobState.values());
    StopCause cause = state == JobState.STOPPING ? any(StopCause.values()) : null;
    Long ended = state.isFinal() ? (long) random.nextInt(50) : null;
    handle.execute(
        "update job set priority = ?, state = ?, stop_cause = ?, ended = ?, devices = ?,"
            + " attempt = ? where id = ?",
        priority,
        state.name(),
        cause == null ? null : cause.name(),
        ended,
        random.nextInt(4),
        random.nextInt(4),
        id.value());
    for (String tag : TAGS) {
      if (random.nextInt(4) == 0) {
        handle.execute("insert into job_tag (job_id, tag) values (?, ?)", id.value(), tag);
        tags.computeIfAbsent(id, _ -> new ArrayList<>()).add(tag);
      }
    }
    return store.find(handle, id).orElseThrow();
  }

  private JobSearch search() {
    return new JobSearch(
        any(JobSearch.OwnerScope.values()),
        some(List.of("user0", "user1")),
        some(List.of("default", "none")),
        some(
            List.of(
                StateFilter.of(JobState.FAILED),
                StateFilter.of(JobState.WAITING),
                new StateFilter(JobState.STOPPING, Set.of(StopCause.USER)))),
        some(List.of("A", "_", "%", "user2", "a_b1", "/")).stream().findFirst().orElse(""),
        some(TAGS),
        some(TAGS),
        some(List.of("", "prod")),
        new JobSearch.TimeRange(anyInstant(), anyInstant()),
        any(JobSearch.Order.values()),
        random.nextBoolean(),
        random.nextInt(3) * 5,
        random.nextInt(100),
        random.nextBoolean());
  }

  private <T> T any(T[] all) {
    return all[random.nextInt(all.length)];
  }

  /** Returns empty in most cases. */
  private Optional<Instant> anyInstant() {
    return random.nextInt(4) > 0 ? Optional.empty() : Optional.of(submitted(random.nextInt(150)));
  }

  /** Returns an empty list in most cases. */
  private <T> List<T> some(List<T> all) {
    return random.nextInt(4) > 0
        ? List.of()
        : all.stream().filter(_ -> random.nextBoolean()).toList();
  }

  private boolean matches(Job job, JobSearch search) {
    List<String> own = tags.getOrDefault(job.id(), List.of());
    return isIn(search.users(), job.userName())
        && isIn(search.virtualClusters(), job.virtualCluster())
        && (search.states().isEmpty()
            || search.states().stream().anyMatch(state -> isIn(state, job)))
        && job.searchText().contains(search.keyword().toLowerCase(Locale.ROOT))
        && (search.tags().isEmpty() || search.tags().stream().anyMatch(own::contains))
        && search.withoutTags().stream().noneMatch(own::contains)
        && isIn(search.priorities(), job.priority())
        && search.submitted().since().filter(job.submitted()::isBefore).isEmpty()
        && search.submitted().until().filter(end -> !job.submitted().isBefore(end)).isEmpty();
  }

  private static boolean isIn(StateFilter wanted, Job job) {
    return wanted.state() == job.state()
        && (wanted.causes().isEmpty()
            || job.status().stopCause().filter(wanted.causes()::contains).isPresent());
  }

  private static boolean isIn(List<String> wanted, String value) {
    return wanted.isEmpty() || wanted.contains(value);
  }

  private static Comparator<Job> order(JobSearch search) {
    Comparator<Job> byKey =
        switch (search.order()) {
          case SUBMITTED -> Comparator.comparing(job -> job.id().value());
          case NAME -> Comparator.comparing(Job::name);
          case USER -> Comparator.comparing(Job::userName);
          case VIRTUAL_CLUSTER -> Comparator.comparing(Job::virtualCluster);
          case RETRIES -> Comparator.comparingInt(job -> job.status().attempt());
          case TASKS -> Comparator.comparingInt(Job::taskCount);
          case DEVICES -> Comparator.comparingLong(Job::devices);
          case STATE -> Comparator.comparing(job -> job.state().name());
          case ENDED ->
              Comparator.comparing(
                  job -> job.status().ended().orElse(null),
                  Comparator.nullsLast(Comparator.<Instant>naturalOrder()));
          case PRIORITY ->
              Comparator.comparing(
                  job -> Optional.of(job.priority()).filter(text -> !text.isEmpty()).orElse(null),
                  Comparator.nullsLast(Comparator.<String>naturalOrder()));
        };
    Comparator<Job> fullJobs = byKey.thenComparing(job -> job.id().value());
    return search.descending() ? fullJobs.reversed() : fullJobs;
  }
}
