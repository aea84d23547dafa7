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
  private final JobFixture fixture;

  TaskSecretsTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private SecretFiles receivedSecrets(Job job, int attempt) {
    return fixture.engine.start(fixture.task(job, attempt, 0)).secrets();
  }

  @Test
  void start_everyAttemptReceivesSecrets() {
    fixture.started();
    Job job = fixture.submit(FILE);
    fixture.awaitAttempt(job, 1);
    TaskId task = fixture.task(job, 1, 0);
    TaskSpec spec = fixture.engine.spec(task);
    assertThat(spec.script()).endsWith("; echo <% $secrets.token %> <% $secrets.no %>");
    assertThat(spec.toString()).doesNotContain(VALUE);
    assertThat(fixture.engine.start(task).toString()).doesNotContain(VALUE);
    assertThat(receivedSecrets(job, 1).contents())
        .containsEntry("user.sh", spec.script().replace("<% $secrets.token %>", VALUE))
        .containsEntry("secrets.yaml", "token: " + VALUE + "\n")
        .hasSize(2);
    fixture.engine.finish(task, 1);
    fixture.awaitAttempt(job, 2);
    assertThat(receivedSecrets(job, 2)).isEqualTo(receivedSecrets(job, 1));
  }

  /** A server that finds a PREPARING job after a restart gives the secrets to its tasks again. */
  @Test
  void start_afterRestart() {
    fixture.started();
    fixture.engine.blockReservations();
    Job job = fixture.submit(FILE);
    JobFixture.eventually(() -> fixture.engine.blockedReservationCount() == 1, "a reservation");
    fixture.pipeline().close();
    fixture.engine.resumeReservations();
    fixture.restart().started();
    fixture.awaitAttempt(job, 1);
    assertThat(receivedSecrets(job, 1).contents()).containsKey("user.sh");
  }

  @Test
  void submit_secrets_areInNoTable() throws SQLException {
    fixture.started();
    Job job = fixture.submit(FILE);
    fixture.awaitAttempt(job, 1);
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
    assertThat(fixture.service().config(job).raw()).contains("\"******\"").doesNotContain(VALUE);
    fixture.engine.finish(fixture.task(job, 1, 0), 0);
    fixture.service().delete(JobFixture.ALICE, fixture.await(job, JobState.SUCCEEDED));
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
    Job job = fixture.submit(FILE);
    fixture.write("update job_secret set key_id = '0123456789abcdef'");
    fixture.started();
    Job ended = fixture.await(job, JobState.FAILED);
    assertThat(ended.status().reason().orElseThrow().english())
        .contains("its secrets can't be read")
        .contains("0123456789abcdef")
        .contains("secret-keys");
    assertThat(fixture.engine.started()).isEmpty();
  }

  @Test
  void submit_withoutSecrets_receivesNone() {
    fixture.started();
    Job job = fixture.submit(FILE.replaceAll("secrets: .*\n", ""));
    fixture.awaitAttempt(job, 1);
    assertThat(receivedSecrets(job, 1).isEmpty()).isTrue();
    assertThat(count()).isZero();
  }
}
