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
  private final JobFixture fixture;
  private final Db db;
  private final List<TaskId> finished = new CopyOnWriteArrayList<>();
  private volatile boolean taken;

  ImageBuildFinalizerTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
    fixture.builds =
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
            assertThat(fixture.engine.spec(task)).isNotNull();
            finished.add(task);
            return taken
                ? new TaskEnd(1, ExitReason.COMMAND_FAILED, "the name is taken", end.at())
                : end;
          }
        };
    fixture.createPipeline(db, fixture.engine);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Job build(String name, String image) {
    String file =
        """
        {"jobName": "%s", "image": "%s",
         "taskRoles": [{"name": "build", "taskNumber": 1, "command": "FROM x"}]}
        """
            .formatted(name, image);
    return fixture
        .service()
        .submit(
            JobFixture.ALICE,
            file,
            true,
            spec -> spec.withExtras(spec.extras().asImageBuild()),
            (_, _) -> {})
        .job();
  }

  @Test
  void steps_replaceTheCommand_withoutOwnersFiles() {
    fixture.started();
    Job job = fixture.await(build("a", "x"), JobState.RUNNING);
    TaskSpec spec = fixture.engine.spec(new TaskId(job.id(), 1, "build", 0));
    assertThat(spec.script()).isEqualTo("the steps of x");
    assertThat(spec.environment()).isEmpty();
    assertThat(spec.rights().root()).isTrue();
    assertThat(spec.volumes())
        .containsExactly(new Volume(Path.of("/context"), "/run/context", Volume.Access.READ_ONLY));
    fixture.engine.finish(spec.id(), 0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(finished).containsExactly(spec.id());
  }

  @Test
  void finish_failedOrStopped_isNotCalled() {
    fixture.started();
    Job failing = fixture.await(build("a", "x"), JobState.RUNNING);
    fixture.engine.finish(new TaskId(failing.id(), 1, "build", 0), 3);
    fixture.await(failing, JobState.FAILED);
    Job stopped = fixture.await(build("b", "x"), JobState.RUNNING);
    fixture.service().stop(JobFixture.ALICE, stopped);
    JobFixture.eventually(() -> fixture.engine.gracePeriods().size() == 1, "the stop");
    fixture.engine.finish(new TaskId(stopped.id(), 1, "build", 0), 0);
    fixture.await(stopped, JobState.STOPPED);
    Job rejected = build("c", "gone");
    Job over = fixture.await(rejected, JobState.FAILED);
    assertThat(over.status().reason().orElseThrow().english()).contains("line 3");
    assertThat(finished).isEmpty();
  }

  @Test
  void finish_fails_jobFails() {
    taken = true;
    fixture.started();
    Job job = fixture.await(build("a", "x"), JobState.RUNNING);
    fixture.engine.finish(new TaskId(job.id(), 1, "build", 0), 0);
    Job over = fixture.await(job, JobState.FAILED);
    assertThat(over.status().attempt()).isEqualTo(1);
    assertThat(finished).hasSize(1);
  }

  @Test
  void finish_afterRestart() {
    fixture.started();
    Job job = fixture.await(build("a", "x"), JobState.RUNNING);
    fixture.pipeline().close();
    fixture.engine.finish(new TaskId(job.id(), 1, "build", 0), 0);
    assertThat(finished).isEmpty();
    fixture.createPipeline(db, fixture.engine);
    fixture.started();
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(finished).hasSize(1);
  }
}
