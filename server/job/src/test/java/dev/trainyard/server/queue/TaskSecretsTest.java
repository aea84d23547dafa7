package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.testkit.Traces;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.db.Table;
import dev.trainyard.server.job.Job;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TaskSecretsTest {
  private static final String VALUE = "hunter2-hunter2";
  private static final String FILE =
      """
      protocolVersion: 2
      name: quiet
      type: job
      jobRetryCount: 1
      prerequisites: [{type: dockerimage, name: i, uri: image}]
      taskRoles:
        main:
          dockerImage: i
          resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}
          commands: ['echo <% $secrets.token %> <% $secrets.no %>']
      secrets: {token: VALUE}
      """
          .replace("VALUE", VALUE);

  private final Db db;
  private final JobFixture world;

  TaskSecretsTest(Db db) {
    this.db = db;
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private SecretFiles given(Job job, int attempt) {
    return world.engine.start(world.task(job, attempt, 0)).secrets();
  }

  @Test
  void start_everyAttemptReceivesSecrets() {
    world.started();
    Job job = world.submit(FILE);
    world.awaitAttempt(job, 1);
    TaskId task = world.task(job, 1, 0);
    TaskSpec spec = world.engine.spec(task);
    assertThat(spec.script()).isEqualTo("echo <% $secrets.token %> <% $secrets.no %>");
    assertThat(spec.toString()).doesNotContain(VALUE);
    assertThat(world.engine.start(task).toString()).doesNotContain(VALUE);
    assertThat(given(job, 1).texts())
        .containsEntry("user.sh", "echo " + VALUE + " <% $secrets.no %>")
        .containsEntry("secrets.yaml", "token: " + VALUE + "\n")
        .hasSize(2);
    world.engine.finish(task, 1);
    world.awaitAttempt(job, 2);
    assertThat(given(job, 2)).isEqualTo(given(job, 1));
  }

  /** A server that finds a PREPARING job after a restart gives the secrets to its tasks again. */
  @Test
  void start_afterRestart() {
    world.started();
    world.engine.holdReservations();
    Job job = world.submit(FILE);
    JobFixture.eventually(() -> world.engine.reservationsHeld() == 1, "a reservation");
    world.pipeline().close();
    world.engine.goOn();
    world.liveAgain().started();
    world.awaitAttempt(job, 1);
    assertThat(given(job, 1).texts()).containsKey("user.sh");
  }

  @Test
  void submit_noTableHasThem() throws SQLException {
    world.started();
    Job job = world.submit(FILE);
    world.awaitAttempt(job, 1);
    assertThat(count()).isEqualTo(1);
    Traces traces = Traces.of(VALUE);
    List<Table> tables = db.read(TaskSecretsTest::tables);
    for (Table table : tables) {
      String rows =
          db.read(
              handle ->
                  handle.createQuery("select * from " + table.name()).mapToMap().list().toString());
      traces.assertNotIn(table.name(), rows.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(tables).extracting(Table::name).contains("job_secret", "job_config", "event");
    assertThat(world.service().config(job).raw()).contains("\"******\"").doesNotContain(VALUE);
    world.engine.finish(world.task(job, 1, 0), 0);
    world.service().delete(JobFixture.ALICE, world.await(job, JobState.SUCCEEDED));
    assertThat(count()).isZero();
  }

  private static List<Table> tables(org.jdbi.v3.core.Handle handle) {
    try {
      return Table.list(handle.getConnection());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int count() {
    return db.read(
        handle -> handle.createQuery("select count(*) from job_secret").mapTo(Integer.class).one());
  }

  @Test
  void start_keyLost_jobFailsWithReason() {
    Job job = world.submit(FILE);
    world.write("update job_secret set key_id = '0123456789abcdef'");
    world.started();
    Job ended = world.await(job, JobState.FAILED);
    assertThat(ended.status().reason().orElseThrow().english())
        .contains("its secrets can't be read")
        .contains("0123456789abcdef")
        .contains("secret-keys");
    assertThat(world.engine.started()).isEmpty();
  }

  @Test
  void submit_withoutSecrets_receivesNone() {
    world.started();
    Job job = world.submit(FILE.replaceAll("secrets: .*\n", ""));
    world.awaitAttempt(job, 1);
    assertThat(given(job, 1).isEmpty()).isTrue();
    assertThat(count()).isZero();
  }
}
