package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class ImageBuildFinalizerTest {
  private final JobFixture world;
  private final Db db;
  private final List<TaskId> finished = new CopyOnWriteArrayList<>();
  private volatile boolean taken;

  ImageBuildFinalizerTest(Db db) {
    this.db = db;
    this.world = new JobFixture(db);
    world.builds =
        new JobBuilds() {
          @Override
          public Steps steps(Job job, String image) {
            if (image.equals("gone")) {
              throw new EngineException("line 3 of the Dockerfile: no such file");
            }
            return new Steps("the steps of " + image, Path.of("/context"), "/run/context");
          }

          @Override
          public TaskEnd finish(Job job, TaskId task, TaskEnd end) {
            // The engine must still have the task, because the image is created from it.
            assertThat(world.engine.spec(task)).isNotNull();
            finished.add(task);
            return taken
                ? new TaskEnd(1, ExitReason.COMMAND_FAILED, "the name is taken", end.at())
                : end;
          }
        };
    world.live(db, world.engine);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private Job build(String name, String image) {
    String file =
        """
        {"jobName": "%s", "image": "%s",
         "taskRoles": [{"name": "build", "taskNumber": 1, "command": "FROM x"}]}
        """
            .formatted(name, image);
    return world
        .service()
        .submit(
            JobFixture.ALICE,
            file,
            true,
            spec -> spec.withExtras(spec.extras().ofImageBuild()),
            (_, _) -> {})
        .job();
  }

  @Test
  void steps_inPlaceOfTheCommand_withNothingOfTheOwners() {
    world.started();
    Job job = world.await(build("a", "x"), JobState.RUNNING);
    TaskSpec spec = world.engine.spec(new TaskId(job.id(), 1, "build", 0));
    assertThat(spec.script()).isEqualTo("the steps of x");
    assertThat(spec.environment()).isEmpty();
    assertThat(spec.rights().root()).isTrue();
    assertThat(spec.volumes())
        .containsExactly(new Volume(Path.of("/context"), "/run/context", Volume.Access.READ_ONLY));
    world.engine.finish(spec.id(), 0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(finished).containsExactly(spec.id());
  }

  @Test
  void finish_failedOrStopped_isNotCalled() {
    world.started();
    Job failing = world.await(build("a", "x"), JobState.RUNNING);
    world.engine.finish(new TaskId(failing.id(), 1, "build", 0), 3);
    world.await(failing, JobState.FAILED);
    Job stopped = world.await(build("b", "x"), JobState.RUNNING);
    world.service().stop(JobFixture.ALICE, stopped);
    JobFixture.eventually(() -> world.engine.graces().size() == 1, "the stop");
    world.engine.finish(new TaskId(stopped.id(), 1, "build", 0), 0);
    world.await(stopped, JobState.STOPPED);
    Job refused = build("c", "gone");
    Job over = world.await(refused, JobState.FAILED);
    assertThat(over.status().reason().orElseThrow().english()).contains("line 3");
    assertThat(finished).isEmpty();
  }

  @Test
  void finish_fails_jobFails() {
    taken = true;
    world.started();
    Job job = world.await(build("a", "x"), JobState.RUNNING);
    world.engine.finish(new TaskId(job.id(), 1, "build", 0), 0);
    Job over = world.await(job, JobState.FAILED);
    assertThat(over.status().attempt()).isEqualTo(1);
    assertThat(finished).hasSize(1);
  }

  @Test
  void finish_afterRestart() {
    world.started();
    Job job = world.await(build("a", "x"), JobState.RUNNING);
    world.pipeline().close();
    world.engine.finish(new TaskId(job.id(), 1, "build", 0), 0);
    assertThat(finished).isEmpty();
    world.live(db, world.engine);
    world.started();
    world.await(job, JobState.SUCCEEDED);
    assertThat(finished).hasSize(1);
  }
}
