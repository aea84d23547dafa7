package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AppException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.FakeRequest;
import dev.trainyard.server.secret.TestSecrets;
import dev.trainyard.server.team.JobAdmission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests jobs with more tasks than one response contains. */
@EveryDatabase
class TaskPagesTest {
  private static final Caller ALICE = new Caller("u1", "alice", false, "t1");
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_000L);

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final AttemptStore attempts = new AttemptStore();
  private final JobService service;
  private final FakeRequest.Table routes = new FakeRequest.Table();

  TaskPagesTest(Db db) {
    this.db = db;
    this.service =
        new JobService(
            db,
            store,
            attempts,
            new SilentQueue(),
            TestSecrets.create(),
            new JobChanges(),
            JobFiles::parse,
            JobAdmission.ALLOW_ALL,
            _ -> List.of(),
            _ -> {},
            InstantSource.fixed(NOW));
    new JobRoutes(service).addTo(routes);
  }

  /**
   * Stores a job with roles z and a, in this order; z has 300 tasks. The last task is not placed.
   */
  private void submitPlacedJob(String name, int tasksOfRoleA) {
    String text =
        """
        {"jobName": "%s", "image": "x", "taskRoles": [
         {"name": "z", "taskNumber": 300, "command": "x"},
         {"name": "a", "taskNumber": %d, "command": "x"}]}
        """
            .formatted(name, tasksOfRoleA);
    JobId id = service.submit(ALICE, text, false).job().id();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 300 + tasksOfRoleA - 1; i++) {
      TaskId task = new TaskId(id, 1, i < 300 ? "z" : "a", i < 300 ? i : i - 300);
      tasks.add(Task.assigned(task, "box", "process", List.of(), TaskPorts.NONE));
    }
    db.write(
        handle -> {
          Job job = store.find(handle, id).orElseThrow();
          Job preparing = store.change(handle, job, job.status().preparing()).orElseThrow();
          attempts.insert(handle, preparing, tasks, NOW);
          return 0;
        });
  }

  private Map<?, ?> get(String path, FakeRequest request) {
    return (Map<?, ?>) routes.call("GET /api/v3/jobs/:job" + path, request).body();
  }

  private static FakeRequest of(String job) {
    return FakeRequest.by(ALICE).path("job", job);
  }

  private static List<String> names(Map<?, ?> page) {
    return ((List<?>) page.get("tasks"))
        .stream()
            .map(task -> (Map<?, ?>) task)
            .map(task -> task.get("role") + "-" + task.get("index"))
            .toList();
  }

  @Test
  void show_firstTasksAndCountsOfAll() {
    submitPlacedJob("large", 1000);
    Map<?, ?> job = get("", of("large"));
    assertThat(names(job)).hasSize(500).startsWith("z-0", "z-1").endsWith("a-198", "a-199");
    assertThat(job.get("tasksNext")).isEqualTo(500);
    assertThat(job.get("taskStates")).hasToString("{a={ASSIGNED=999}, z={ASSIGNED=300}}");
    assertThat(get("/attempts/:attempt", of("large").path("attempt", "1")).get("tasksNext"))
        .isEqualTo(500);
  }

  @Test
  void show_allOfASmallJob() {
    submitPlacedJob("small", 200);
    Map<?, ?> job = get("", of("small"));
    assertThat(names(job)).hasSize(499).startsWith("z-0").endsWith("a-198");
    assertThat(job.containsKey("tasksNext")).isFalse();
    assertThat(job.get("taskStates")).hasToString("{z={ASSIGNED=300}, a={ASSIGNED=199}}");
  }

  @Test
  void tasks_pagesAreCompleteAndOrdered() {
    submitPlacedJob("large", 1000);
    List<String> all = new ArrayList<>();
    for (Integer next = 0; next != null; ) {
      FakeRequest request = of("large").query("limit", "77").query("offset", "" + next);
      Map<?, ?> page = get("/tasks", request);
      all.addAll(names(page));
      next = (Integer) page.get("next");
    }
    assertThat(all).hasSize(1299).doesNotHaveDuplicates();
    assertThat(all.subList(298, 302)).containsExactly("z-298", "z-299", "a-0", "a-1");
    assertThat(names(get("/tasks", of("large").query("attempt", "2")))).isEmpty();
    assertThat(names(get("/tasks", of("large").query("offset", "2147483647")))).isEmpty();
  }

  @Test
  void tasks_badQuery() {
    submitPlacedJob("large", 10);
    for (String name : List.of("limit", "offset", "attempt")) {
      assertThatThrownBy(() -> get("/tasks", of("large").query(name, "-1")))
          .isInstanceOf(AppException.class);
    }
  }

  @Test
  void tasks_veryManyRoles() {
    StringBuilder roles = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      roles.append(i == 0 ? "" : ",");
      roles.append("{\"name\": \"r%d\", \"taskNumber\": 10, \"command\": \"x\"}".formatted(i));
    }
    String text = "{\"jobName\": \"roles\", \"image\": \"x\", \"taskRoles\": [" + roles + "]}";
    JobId id = service.submit(ALICE, text, false).job().id();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      TaskId task = new TaskId(id, 1, "r" + i / 10, i % 10);
      tasks.add(Task.assigned(task, "box", "process", List.of(), TaskPorts.NONE));
    }
    db.write(
        handle -> {
          Job job = store.find(handle, id).orElseThrow();
          Job preparing = store.change(handle, job, job.status().preparing()).orElseThrow();
          attempts.insert(handle, preparing, tasks, NOW);
          return 0;
        });
    assertThat(names(get("", of("roles")))).hasSize(500).startsWith("r0-0").endsWith("r49-9");
    FakeRequest request = of("roles").query("offset", "595").query("limit", "500");
    assertThat(names(get("/tasks", request))).hasSize(5).startsWith("r59-5");
  }
}
