package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.db.StoredMessage;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people are told of the ways of jobs. */
@EveryDatabase
class JobEventsTest {
  private final Db db;
  private final JobFixture world;

  JobEventsTest(Db db) {
    this.db = db;
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** Every event of a job in its order, as {@code TYPE sentence}. */
  private List<String> told(Job job) {
    return db.read(
        handle ->
            handle
                .createQuery("select type, code, params from event where job_id = :job order by id")
                .bind("job", job.id().value())
                .map(
                    (rows, _) -> {
                      Message message = StoredMessage.read(rows.getString(2), rows.getString(3));
                      return rows.getString(1) + " " + message.english();
                    })
                .list());
  }

  @Test
  void plainJob_hasFour() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.engine.finish(world.task(job, 0), 0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(told(job))
        .containsExactly(
            "SUBMITTED submitted by alice",
            "PREPARING attempt 1 has a place and is being prepared",
            "RUNNING attempt 1 runs",
            "SUCCEEDED succeeded");
  }

  @Test
  void failingJob_saysWhyItIsTriedAgain() {
    world.started();
    Job job = world.submit(JobFileText.of("a", "m", 1, 1, 0, "\"retryCount\": 1,"));
    world.awaitAttempt(job, 1);
    world.engine.finish(world.task(job, 1, 0), 3);
    world.awaitAttempt(job, 2);
    world.engine.finish(world.task(job, 2, 0), 4);
    world.await(job, JobState.FAILED);
    assertThat(told(job))
        .contains("RETRYING attempt 1 is over (ended with exit code 3); it is tried again")
        .endsWith("RUNNING attempt 2 runs", "FAILED failed: ended with exit code 4");
  }

  @Test
  void gang_tellsOfEachTask() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.of("a", "w", 3, 1, 0, "")), JobState.RUNNING);
    world.engine.finish(world.task(job, 1), 0);
    JobFixture.eventually(() -> told(job).size() == 7, "the end of a task to be told");
    world.engine.finish(world.task(job, 0), 7);
    world.await(job, JobState.FAILED);
    assertThat(told(job))
        .startsWith(
            "SUBMITTED submitted by alice",
            "PREPARING attempt 1 has a place and is being prepared",
            "RUNNING attempt 1 runs with 3 tasks",
            "TASK_STARTED task w-0 has started",
            "TASK_STARTED task w-1 has started",
            "TASK_STARTED task w-2 has started",
            "TASK_ENDED task w-1 has finished",
            "TASK_ENDED task w-0 ended with exit code 7",
            "STOPPING its end is decided; the rest of its tasks are being stopped"
                + " (task w-0 ended with exit code 7)")
        .endsWith("FAILED failed: task w-0 ended with exit code 7")
        .hasSize(11);
  }

  @Test
  void manyTasks_areNotAsManyRows() {
    List<String> tasks =
        TaskEvents.started(
                world.submit(JobFileText.of("a", "w", 1_000, 1, 0, "")),
                IntStream.range(0, 1_000)
                    .mapToObj(i -> new TaskId(new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "w", i))
                    .toList())
            .stream()
            .map(event -> event.message().english())
            .toList();
    assertThat(tasks)
        .hasSize(21)
        .startsWith("task w-0 has started")
        .endsWith("980 more tasks have started");
  }

  @Test
  void stop_saysWho() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.service().stop(JobFixture.ALICE, job);
    world.await(job, JobState.STOPPED);
    assertThat(told(job))
        .endsWith("STOPPING is being stopped by alice", "STOPPED over: stopped by alice");
  }

  @Test
  void stop_withLessGrace_isTold() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.service().stop(JobFixture.ALICE, job);
    world.service().stop(JobFixture.ALICE, job, Optional.of(Duration.ofSeconds(3)));
    world.service().stop(JobFixture.ALICE, job, Optional.of(Duration.ofSeconds(3)));
    assertThat(told(job))
        .endsWith("STOPPING is being stopped by alice", "STOPPING now has to end within 3 seconds");
  }

  @Test
  void pause_andResume() {
    Job job = world.submit(JobFileText.named("a"));
    Job paused = world.service().pause(JobFixture.ALICE, job);
    world.service().resume(JobFixture.ALICE, paused);
    assertThat(told(job))
        .containsExactly(
            "SUBMITTED submitted by alice",
            "PAUSED paused by alice",
            "RESUMED back in the queue by alice");
  }

  @Test
  void waiting_isToldOnce_alsoOverARestart() {
    world.started();
    Job first = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job second = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    world.why(second);
    world.pass(Duration.ofSeconds(5));
    assertThat(told(second)).hasSize(1);
    world.pass(Duration.ofSeconds(5));
    JobFixture.eventually(() -> told(second).size() == 2, "the reason to be told");
    world.pass(Duration.ofSeconds(5));
    world.pipeline().close();
    world.liveAgain().started();
    world.why(second);
    Job third = world.submit(JobFileText.of("c", "m", 1, 99, 0, ""));
    world.why(third);
    world.pass(Duration.ofSeconds(5));
    world.pass(Duration.ofSeconds(5));
    JobFixture.eventually(() -> told(third).size() == 2, "the reason of the other");
    assertThat(told(second))
        .containsExactly(
            "SUBMITTED submitted by alice", "WAITING waits: needs 8 CPUs: 0 of 8 are free");
    assertThat(told(third).getLast()).startsWith("WAITING waits: can never run here");
    world.engine.finish(world.task(first, 0), 0);
    world.await(second, JobState.RUNNING);
    assertThat(told(second)).endsWith("RUNNING attempt 1 runs").hasSize(4);
  }

  @Test
  void delete_takesThemAlong() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.engine.finish(world.task(job, 0), 0);
    Job over = world.await(job, JobState.SUCCEEDED);
    world.service().delete(JobFixture.ALICE, over);
    assertThat(told(job)).isEmpty();
  }
}
