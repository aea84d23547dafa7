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

/** Tests the events of jobs. */
@EveryDatabase
class JobEventsTest {
  private final Db db;
  private final JobFixture fixture;

  JobEventsTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Returns every event of a job in order, as {@code TYPE sentence}. */
  private List<String> events(Job job) {
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
  void simpleJob_hasFourEvents() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(events(job))
        .containsExactly(
            "SUBMITTED submitted by alice",
            "PREPARING attempt 1: resources allocated, preparing",
            "RUNNING attempt 1 is running",
            "SUCCEEDED succeeded");
  }

  @Test
  void failingJob_retryEventHasReason() {
    fixture.started();
    Job job = fixture.submit(JobFileText.of("a", "m", 1, 1, 0, "\"retryCount\": 1,"));
    fixture.awaitAttempt(job, 1);
    fixture.engine.finish(fixture.task(job, 1, 0), 3);
    fixture.awaitAttempt(job, 2);
    fixture.engine.finish(fixture.task(job, 2, 0), 4);
    fixture.await(job, JobState.FAILED);
    assertThat(events(job))
        .contains("RETRYING attempt 1 finished (exited with code 3); retrying")
        .endsWith("RUNNING attempt 2 is running", "FAILED failed: exited with code 4");
  }

  @Test
  void gang_hasEventsForEachTask() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("a", "w", 3, 1, 0, "")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 1), 0);
    JobFixture.eventually(() -> events(job).size() == 7, "an event for the end of a task");
    fixture.engine.finish(fixture.task(job, 0), 7);
    fixture.await(job, JobState.FAILED);
    assertThat(events(job))
        .startsWith(
            "SUBMITTED submitted by alice",
            "PREPARING attempt 1: resources allocated, preparing",
            "RUNNING attempt 1 is running with 3 tasks",
            "TASK_STARTED task w-0 started",
            "TASK_STARTED task w-1 started",
            "TASK_STARTED task w-2 started",
            "TASK_ENDED task w-1 succeeded",
            "TASK_ENDED task w-0 exited with code 7",
            "STOPPING completion condition met; stopping the remaining tasks"
                + " (task w-0 exited with code 7)")
        .endsWith("FAILED failed: task w-0 exited with code 7")
        .hasSize(11);
  }

  @Test
  void manyTasks_eventsAreSummarized() {
    List<String> tasks =
        TaskEvents.started(
                fixture.submit(JobFileText.of("a", "w", 1_000, 1, 0, "")),
                IntStream.range(0, 1_000)
                    .mapToObj(i -> new TaskId(new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "w", i))
                    .toList())
            .stream()
            .map(event -> event.message().english())
            .toList();
    assertThat(tasks).hasSize(21).startsWith("task w-0 started").endsWith("980 more tasks started");
  }

  @Test
  void stop_eventHasUser() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.service().stop(JobFixture.ALICE, job);
    fixture.await(job, JobState.STOPPED);
    assertThat(events(job)).endsWith("STOPPING being stopped by alice", "STOPPED stopped by alice");
  }

  @Test
  void stop_shorterGrace_hasEvent() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.service().stop(JobFixture.ALICE, job);
    fixture.service().stop(JobFixture.ALICE, job, Optional.of(Duration.ofSeconds(3)));
    fixture.service().stop(JobFixture.ALICE, job, Optional.of(Duration.ofSeconds(3)));
    assertThat(events(job))
        .endsWith(
            "STOPPING being stopped by alice", "STOPPING grace period shortened to 3 seconds");
  }

  @Test
  void pause_andResume() {
    Job job = fixture.submit(JobFileText.named("a"));
    Job paused = fixture.service().pause(JobFixture.ALICE, job);
    fixture.service().resume(JobFixture.ALICE, paused);
    assertThat(events(job))
        .containsExactly(
            "SUBMITTED submitted by alice", "PAUSED paused by alice", "RESUMED resumed by alice");
  }

  @Test
  void waiting_hasOneEventEvenAfterRestart() {
    fixture.started();
    Job first =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job second = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    fixture.waitReason(second);
    fixture.advanceClock(Duration.ofSeconds(5));
    assertThat(events(second)).hasSize(1);
    fixture.advanceClock(Duration.ofSeconds(5));
    JobFixture.eventually(() -> events(second).size() == 2, "an event with the wait reason");
    fixture.advanceClock(Duration.ofSeconds(5));
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.waitReason(second);
    Job third = fixture.submit(JobFileText.of("c", "m", 1, 99, 0, ""));
    fixture.waitReason(third);
    fixture.advanceClock(Duration.ofSeconds(5));
    fixture.advanceClock(Duration.ofSeconds(5));
    JobFixture.eventually(() -> events(third).size() == 2, "the wait reason of the other job");
    assertThat(events(second))
        .containsExactly(
            "SUBMITTED submitted by alice", "WAITING waiting: needs 8 CPUs: 0 of 8 are free");
    assertThat(events(third).getLast()).startsWith("WAITING waiting: needs");
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(second, JobState.RUNNING);
    assertThat(events(second)).endsWith("RUNNING attempt 1 is running").hasSize(4);
  }

  @Test
  void delete_removesEvents() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 0), 0);
    Job over = fixture.await(job, JobState.SUCCEEDED);
    fixture.service().delete(JobFixture.ALICE, over);
    assertThat(events(job)).isEmpty();
  }
}
