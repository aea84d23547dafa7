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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Kills the server at every boundary between two of its calls of the database and the engine, lets
 * the next life finish, and proves that every task ran exactly once and every job ended rightly.
 */
@EveryDatabase
class QueuePipelineKillTest {
  /** More than a life with these jobs has; how many it had is checked below. */
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
          if (!(error instanceof Mortality.Killed)) {
            error.printStackTrace();
          }
        });
  }

  @AfterEach
  void restoreHandler() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void kill_whileJobsRun() {
    int survived = 0;
    for (int boundary = 1; survived == 0; boundary++) {
      assertThat(boundary).isLessThan(MOST_BOUNDARIES);
      survived += oneLifeThenAnother(boundary, (_, _) -> {}, List.of(JobState.SUCCEEDED)) ? 0 : 1;
    }
  }

  @Test
  void kill_whileAJobIsStopped() {
    BiConsumer<JobWorld, Job> stop =
        (world, job) -> {
          try {
            if (world.job(job).state() == JobState.RUNNING) {
              world.service().stop(JobWorld.ALICE, job);
            }
          } catch (AppException e) {
            assertThat(e.code()).as("it ended meanwhile").isEqualTo(ErrorCode.CONFLICT);
          }
        };
    int survived = 0;
    for (int boundary = 1; survived == 0; boundary++) {
      assertThat(boundary).isLessThan(MOST_BOUNDARIES);
      survived +=
          oneLifeThenAnother(boundary, stop, List.of(JobState.SUCCEEDED, JobState.STOPPED)) ? 0 : 1;
    }
  }

  /** Whether the first life was killed before it was done. */
  private boolean oneLifeThenAnother(
      int boundary, BiConsumer<JobWorld, Job> meanwhile, List<JobState> rightEnds) {
    JobWorld world = new JobWorld(db);
    try (world) {
      world.engine.obeyStops();
      Mortality life = new Mortality(boundary);
      world.live(life.mortal(db), life.mortal(world.engine));
      List<Job> jobs = new ArrayList<>();
      try {
        world.started();
        jobs.add(world.submit(JobFileText.of("one" + boundary, "m", 1, 8, 0, "")));
        jobs.add(world.submit(JobFileText.of("two" + boundary, "w", 2, 1, 0, "")));
        JobWorld.eventually(
            () -> {
              meanwhile.accept(world, jobs.getLast());
              world.finishRunning(0);
              return life.isDead() || isDone(world, jobs);
            },
            "the first life to end");
      } catch (Mortality.Killed e) {
        // It died at its start.
      }
      final boolean killed = life.isDead();
      life.end();
      world.pipeline().close();
      world.liveAgain().started();
      if (jobs.isEmpty()) {
        jobs.add(world.submit(JobFileText.named("late" + boundary)));
      }
      JobWorld.eventually(
          () -> {
            world.finishRunning(0);
            return isDone(world, jobs);
          },
          "the second life to be done after boundary " + boundary);
      assertOnce(world, jobs, rightEnds, boundary);
      deleteAll(world, jobs);
      return killed;
    }
  }

  private static boolean isDone(JobWorld world, List<Job> jobs) {
    return world.engine.list().isEmpty()
        && jobs.stream().allMatch(job -> world.job(job).state().isFinal());
  }

  private static void assertOnce(
      JobWorld world, List<Job> jobs, List<JobState> rightEnds, int boundary) {
    assertThat(world.engine.started()).as("boundary %d", boundary).doesNotHaveDuplicates();
    for (Job seen : jobs) {
      Job job = world.job(seen);
      assertThat(job.state()).as("boundary %d", boundary).isIn(rightEnds);
      assertThat(job.status().attempt()).isEqualTo(1);
      if (job.state() == JobState.SUCCEEDED) {
        long ran =
            world.engine.started().stream().filter(task -> task.job().equals(job.id())).count();
        assertThat(ran).as("boundary %d", boundary).isEqualTo(job.taskCount());
      }
      assertThat(world.service().details(job).tasks())
          .hasSize(job.taskCount())
          .allMatch(task -> task.end().isPresent());
    }
  }

  private static void deleteAll(JobWorld world, List<Job> jobs) {
    jobs.forEach(job -> world.service().delete(world.job(job)));
  }
}
