package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.LogLine;
import dev.trainyard.model.diagnosis.LogTail;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.TaskDiagnosis;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the diagnosis of failed attempts in a complete queue. */
@EveryDatabase
class DiagnosisTest {
  private static final String IMPORT = "ModuleNotFoundError: No module named 'apex'";

  private final JobFixture fixture;

  DiagnosisTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Optional<TaskDiagnosis> diagnosis(Job job, int attempt) {
    return fixture.service().attempt(job, attempt).attempt().end().flatMap(AttemptEnd::diagnosis);
  }

  @Test
  void failure_isDiagnosedFromLogOfAttempt() {
    fixture.started();
    Job job = fixture.submit(JobFileText.of("job", "m", 1, 1, 0, "\"retryCount\": 1,"));
    fixture.awaitAttempt(job, 1);
    fixture.engine.write(fixture.task(job, 1, 0), false, "epoch 1\n");
    fixture.engine.write(fixture.task(job, 1, 0), true, "starting\n" + IMPORT + "\n");
    fixture.engine.finish(fixture.task(job, 1, 0), 1);
    fixture.awaitAttempt(job, 2);
    fixture.engine.finish(fixture.task(job, 2, 0), 137);
    fixture.await(job, JobState.FAILED);
    TaskDiagnosis first = diagnosis(job, 1).orElseThrow();
    assertThat(first.role()).isEqualTo("m");
    assertThat(first.diagnosis().exit()).isEqualTo(Exit.PYTHON_IMPORT);
    assertThat(first.diagnosis().lines()).containsExactly(new LogLine("stderr", 9, 2, IMPORT));
    assertThat(diagnosis(job, 2).orElseThrow().diagnosis().exit()).isEqualTo(Exit.SIGNAL_KILL);
  }

  @Test
  void failure_hugeLog_onlyTailIsRead() {
    fixture.started();
    Job job = fixture.submit(JobFileText.named("job"));
    fixture.awaitAttempt(job, 1);
    String noise = "step\n".repeat(LogTail.MAX_BYTES / 5 + 1);
    fixture.engine.write(fixture.task(job, 1, 0), true, "CUDA out of memory\n" + noise + IMPORT);
    fixture.engine.finish(fixture.task(job, 1, 0), 1);
    fixture.await(job, JobState.FAILED);
    TaskDiagnosis found = diagnosis(job, 1).orElseThrow();
    assertThat(found.diagnosis().exit()).isEqualTo(Exit.PYTHON_IMPORT);
    assertThat(found.diagnosis().lines())
        .containsExactly(new LogLine("stderr", 19L + noise.length(), 0, IMPORT));
  }

  @Test
  void gang_decisiveTaskIsDiagnosed() {
    fixture.started();
    fixture.engine.endStoppedTasks();
    Job job = fixture.submit(JobFileText.of("gang", "w", 3, 1, 0, ""));
    fixture.awaitAttempt(job, 1);
    fixture.engine.write(fixture.task(job, 1, 0), true, "CUDA out of memory\n");
    fixture.engine.write(fixture.task(job, 1, 2), true, IMPORT + "\n");
    fixture.engine.finish(fixture.task(job, 1, 2), 1);
    fixture.await(job, JobState.FAILED);
    assertThat(diagnosis(job, 1).orElseThrow().index()).isEqualTo(2);
    assertThat(diagnosis(job, 1).orElseThrow().diagnosis().exit()).isEqualTo(Exit.PYTHON_IMPORT);
  }

  /** The outcome is decided in one server process, and the last task ends in the next. */
  @Test
  void gang_serverRestarted_diagnosisIsKept() {
    fixture.started();
    Job job = fixture.submit(JobFileText.of("gang", "w", 2, 1, 0, ""));
    fixture.awaitAttempt(job, 1);
    fixture.engine.write(fixture.task(job, 1, 0), true, IMPORT + "\n");
    fixture.engine.finish(fixture.task(job, 1, 0), 1);
    fixture.await(job, JobState.STOPPING);
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.engine.finish(fixture.task(job, 1, 1), 143);
    fixture.await(job, JobState.FAILED);
    assertThat(diagnosis(job, 1).orElseThrow().diagnosis().exit()).isEqualTo(Exit.PYTHON_IMPORT);
  }

  @Test
  void successAndStop_haveNoDiagnosis() {
    fixture.started();
    fixture.engine.endStoppedTasks();
    Job good = fixture.submit(JobFileText.named("good"));
    fixture.awaitAttempt(good, 1);
    fixture.engine.write(fixture.task(good, 1, 0), true, IMPORT + "\n");
    fixture.engine.finish(fixture.task(good, 1, 0), 0);
    fixture.await(good, JobState.SUCCEEDED);
    Job stopped = fixture.submit(JobFileText.named("stopped"));
    fixture.awaitAttempt(stopped, 1);
    fixture.service().stop(JobFixture.ALICE, fixture.job(stopped));
    fixture.await(stopped, JobState.STOPPED);
    assertThat(diagnosis(good, 1)).isEmpty();
    assertThat(diagnosis(stopped, 1)).isEmpty();
  }

  @Test
  void outOfMemory_platformOverridesLog() {
    fixture.started();
    Job job = fixture.submit(JobFileText.named("job"));
    fixture.awaitAttempt(job, 1);
    fixture.engine.write(fixture.task(job, 1, 0), true, "uncorrectable ECC error\n");
    fixture.engine.end(
        fixture.task(job, 1, 0),
        new TaskEnd(137, ExitReason.OUT_OF_MEMORY, "", fixture.clock.instant()));
    assertThat(fixture.await(job, JobState.FAILED).status().attempt()).isEqualTo(1);
    assertThat(diagnosis(job, 1).orElseThrow().diagnosis().exit()).isEqualTo(Exit.OUT_OF_MEMORY);
  }
}
