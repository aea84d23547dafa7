package dev.trainyard.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.util.Set;
import org.junit.jupiter.api.Test;

@EveryDatabase
class CordonServiceTest {
  private static final Actor ROOT = new Actor("u0", "root", "", "");

  private final Db db;
  private final JobFixture fixture;
  private final CordonService cordons;

  CordonServiceTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db).started();
    this.cordons = new CordonService(db, fixture.clock);
  }

  private long countAuditRecords() {
    return db.read(
        handle ->
            handle
                .createQuery("select count(*) from audit where action like 'node.%'")
                .mapTo(Long.class)
                .one());
  }

  @Test
  void cordon_storedAndAudited() {
    cordons.put(ROOT, "box", "fan");
    cordons.put(ROOT, "box", "fan");
    assertThat(cordons.loadAll().get("box").reason()).isEqualTo("fan");
    assertThat(countAuditRecords()).isEqualTo(1);
    cordons.put(ROOT, "box", "disk");
    assertThat(new CordonService(db, fixture.clock).nodes()).isEqualTo(Set.of("box"));
    cordons.remove(ROOT, "box");
    cordons.remove(ROOT, "box");
    assertThat(cordons.nodes()).isEmpty();
    assertThat(countAuditRecords()).isEqualTo(3);
    fixture.close();
  }

  @Test
  void cordon_jobsWaitAndRunningOnesContinue() {
    Job running = fixture.submit(JobFileText.of("a", "m", 1, 1, 2, ""));
    fixture.await(running, JobState.RUNNING);
    // It waits for a GPU, so it cannot start before the queue has read the change.
    Job waiting = fixture.submit(JobFileText.of("b", "m", 1, 1, 1, ""));
    fixture.cordoned = Set.of("box");
    fixture.pipeline().constraintsChanged();
    JobFixture.eventually(
        () ->
            fixture.service().reasons(java.util.List.of(waiting)).getFirst().stream()
                .anyMatch(reason -> reason.code().equals("wait.all-cordoned")),
        "the reason");
    assertThat(fixture.service().refresh(running.id()).orElseThrow().state())
        .isEqualTo(JobState.RUNNING);
    fixture.engine.finish(fixture.task(running, 0), 0);
    fixture.await(running, JobState.SUCCEEDED);
    assertThat(fixture.service().refresh(waiting.id()).orElseThrow().state())
        .isEqualTo(JobState.WAITING);
    fixture.cordoned = Set.of();
    fixture.pipeline().constraintsChanged();
    fixture.await(waiting, JobState.RUNNING);
    fixture.close();
  }
}
