package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Kills the server at every boundary between two of its calls of the database and the engine, lets
 * the next server process finish, and proves that every task ran exactly once and every job ended
 * correctly.
 */
@EveryDatabase
class QueuePipelineKillTest {
  /** More boundaries than a run with these jobs has; the actual number is checked below. */
  private static final int MOST_BOUNDARIES = 400;

  private final Db db;
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();

  QueuePipelineKillTest(Db db) {
    this.db = db;
  }

  @BeforeEach
  void killedThreadsEndSilently() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          if (!(error instanceof CrashSimulator.Killed)) {
            error.printStackTrace();
          }
        });
  }

  @AfterEach
  void restoreHandler() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  /** Actions on the jobs while they run, and their expected final states. */
  private record Scenario(
      Function<Integer, List<String>> files,
      BiConsumer<JobFixture, List<Job>> meanwhile,
      int exitCode,
      List<JobState> rightEnds,
      int attempts,
      int runs) {

    Scenario(
        Function<Integer, List<String>> files,
        BiConsumer<JobFixture, List<Job>> meanwhile,
        int exitCode,
        List<JobState> rightEnds,
        int attempts) {
      this(files, meanwhile, exitCode, rightEnds, attempts, 1);
    }
  }

  private static List<String> twoJobs(int boundary, String extraFields) {
    return List.of(
        JobFileText.of("one" + boundary, "m", 1, 8, 0, extraFields),
        JobFileText.of("two" + boundary, "w", 2, 1, 0, extraFields));
  }

  private void killEverywhere(Scenario scenario) {
    int survived = 0;
    for (int boundary = 1; survived == 0; boundary++) {
      assertThat(boundary).isLessThan(MOST_BOUNDARIES);
      survived += crashAndRestart(boundary, scenario) ? 0 : 1;
    }
  }

  @Test
  void kill_whileJobsRun() {
    killEverywhere(
        new Scenario(
            boundary -> twoJobs(boundary, ""), (_, _) -> {}, 0, List.of(JobState.SUCCEEDED), 1));
  }

  @Test
  void kill_whileTasksStartOneByOne() {
    killEverywhere(
        new Scenario(
            boundary ->
                List.of(WithoutGangTest.jobFileWithFourTasks("parts" + boundary, false, "")),
            (_, _) -> {},
            0,
            List.of(JobState.SUCCEEDED),
            1));
  }

  /** All tasks fail twice, which the job tolerates. */
  @Test
  void kill_whileTasksAreRetried() {
    String role =
        """
        dockerImage: i
            taskRetryCount: 1
            completion: {minFailedInstances: -1, minSucceededInstances: -1}
        """
            .strip();
    killEverywhere(
        new Scenario(
            boundary ->
                List.of(
                    WithoutGangTest.jobFileWithFourTasks("again" + boundary, false, "")
                        .replace("instances: 4", "instances: 3")
                        .replace("dockerImage: i", role)),
            (_, _) -> {},
            3,
            List.of(JobState.SUCCEEDED),
            1,
            2));
  }

  @Test
  void kill_whileJobsAreRetried() {
    killEverywhere(
        new Scenario(
            boundary -> twoJobs(boundary, "\"retryCount\": 1,"),
            (_, _) -> {},
            3,
            List.of(JobState.FAILED),
            2));
  }

  @Test
  void kill_whileAJobIsStopped() {
    BiConsumer<JobFixture, List<Job>> stop =
        (fixture, jobs) ->
            unlessFinished(
                () -> {
                  if (fixture.job(jobs.getLast()).state() == JobState.RUNNING) {
                    fixture.service().stop(JobFixture.ALICE, jobs.getLast());
                  }
                });
    killEverywhere(
        new Scenario(
            boundary -> twoJobs(boundary, ""),
            stop,
            0,
            List.of(JobState.SUCCEEDED, JobState.STOPPED),
            1));
  }

  @Test
  void kill_whileAJobIsPaused() {
    BiConsumer<JobFixture, List<Job>> pause =
        (fixture, jobs) ->
            unlessFinished(
                () -> {
                  Job job = fixture.job(jobs.getLast());
                  if (job.state() == JobState.RUNNING && job.status().attempt() == 1) {
                    fixture.service().pause(JobFixture.ALICE, job);
                  } else if (job.state() == JobState.PAUSED) {
                    fixture.service().resume(JobFixture.ALICE, job);
                  }
                });
    killEverywhere(
        new Scenario(boundary -> twoJobs(boundary, ""), pause, 0, List.of(JobState.SUCCEEDED), 2));
  }

  private static void unlessFinished(Runnable action) {
    try {
      action.run();
    } catch (AppException e) {
      assertThat(e.code()).as("it ended in the meantime").isEqualTo(ErrorCode.CONFLICT);
    }
  }

  /** Returns whether the first server process was killed before it was done. */
  private boolean crashAndRestart(int boundary, Scenario scenario) {
    JobFixture fixture = new JobFixture(db);
    try (fixture) {
      fixture.engine.endStoppedTasks();
      CrashSimulator simulator = new CrashSimulator(boundary);
      fixture.createPipeline(simulator.crashing(db), simulator.crashing(fixture.engine));
      List<Job> jobs = new ArrayList<>();
      try {
        fixture.started();
        scenario.files().apply(boundary).forEach(file -> jobs.add(fixture.submit(file)));
        JobFixture.eventually(
            () -> {
              scenario.meanwhile().accept(fixture, jobs);
              fixture.finishRunning(scenario.exitCode());
              return simulator.hasCrashed() || isDone(fixture, jobs);
            },
            "the end of the first server process");
      } catch (CrashSimulator.Killed e) {
        // It was killed during its start.
      }
      final boolean killed = simulator.hasCrashed();
      simulator.end();
      fixture.pipeline().close();
      fixture.restart().started();
      if (jobs.isEmpty()) {
        jobs.add(fixture.submit(scenario.files().apply(boundary).getFirst()));
      }
      JobFixture.eventually(
          () -> {
            scenario.meanwhile().accept(fixture, jobs);
            fixture.finishRunning(scenario.exitCode());
            return isDone(fixture, jobs);
          },
          "the second run to finish after boundary " + boundary);
      assertOnce(fixture, jobs, scenario, boundary);
      deleteAll(fixture, jobs);
      return killed;
    }
  }

  private static boolean isDone(JobFixture fixture, List<Job> jobs) {
    return fixture.engine.list().isEmpty()
        && jobs.stream().allMatch(job -> fixture.job(job).state().isFinal());
  }

  private static void assertOnce(
      JobFixture fixture, List<Job> jobs, Scenario scenario, int boundary) {
    assertThat(fixture.engine.started()).as("boundary %d", boundary).doesNotHaveDuplicates();
    assertThat(fixture.assignedPortCount()).as("ports after boundary %d", boundary).isZero();
    for (Job seen : jobs) {
      Job job = fixture.job(seen);
      assertThat(job.state()).as("boundary %d", boundary).isIn(scenario.rightEnds());
      assertThat(job.status().attempt()).isBetween(1, scenario.attempts());
      if (job.state() == JobState.FAILED) {
        assertThat(job.status().attempt()).isEqualTo(scenario.attempts());
      }
      assertEvents(fixture.eventTypes(job), job, scenario.runs(), boundary);
      for (int attempt = 1; attempt <= job.status().attempt(); attempt++) {
        assertAttempt(fixture, job, attempt, scenario.runs(), boundary);
      }
    }
  }

  /**
   * Every change has exactly one event: as many as the job has versions, and no task ended twice.
   */
  private static void assertEvents(List<String> events, Job job, int runs, int boundary) {
    List<String> ofTheJob = events.stream().filter(event -> !event.startsWith("TASK_")).toList();
    assertThat(ofTheJob).as("boundary %d", boundary).hasSize((int) job.status().version());
    assertThat(ofTheJob).startsWith("SUBMITTED 0").endsWith(job.state() + " " + last(job));
    assertThat(events.stream().filter(event -> event.startsWith("TASK_ENDED")))
        .as("boundary %d", boundary)
        .hasSize(job.taskCount() == 1 ? 0 : job.taskCount() * last(job) * runs);
  }

  private static int last(Job job) {
    return job.status().attempt();
  }

  /** In every attempt that ran, all tasks ran as often as expected and have an end. */
  private static void assertAttempt(
      JobFixture fixture, Job job, int attempt, int runs, int boundary) {
    long ran =
        fixture.engine.started().stream()
            .filter(task -> task.job().equals(job.id()) && task.attempt() == attempt)
            .count();
    if (job.state() != JobState.STOPPED && attempt == job.status().attempt()) {
      assertThat(ran).as("boundary %d", boundary).isEqualTo((long) job.taskCount() * runs);
    }
    var details = fixture.service().attempt(job, attempt);
    assertThat(details.attempt().ended()).as("boundary %d", boundary).isPresent();
    assertThat(details.tasks()).hasSize(job.taskCount()).allMatch(task -> task.end().isPresent());
  }

  private static void deleteAll(JobFixture fixture, List<Job> jobs) {
    jobs.forEach(job -> fixture.service().delete(JobFixture.ALICE, fixture.job(job)));
  }
}
