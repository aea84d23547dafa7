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
  private final JobFixture world;
  private final CordonService cordons;

  CordonServiceTest(Db db) {
    this.db = db;
    this.world = new JobFixture(db).started();
    this.cordons = new CordonService(db, world.clock);
  }

  private long audited() {
    return db.read(
        handle ->
            handle
                .createQuery("select count(*) from audit where action like 'node.%'")
                .mapTo(Long.class)
                .one());
  }

  @Test
  void cordon_isKeptAndAudited() {
    cordons.put(ROOT, "box", "fan");
    cordons.put(ROOT, "box", "fan");
    assertThat(cordons.all().get("box").reason()).isEqualTo("fan");
    assertThat(audited()).isEqualTo(1);
    cordons.put(ROOT, "box", "disk");
    assertThat(new CordonService(db, world.clock).nodes()).isEqualTo(Set.of("box"));
    cordons.remove(ROOT, "box");
    cordons.remove(ROOT, "box");
    assertThat(cordons.nodes()).isEmpty();
    assertThat(audited()).isEqualTo(3);
    world.close();
  }

  @Test
  void cordon_jobsWaitAndRunningOnesStay() {
    Job running = world.submit(JobFileText.of("a", "m", 1, 1, 2, ""));
    world.await(running, JobState.RUNNING);
    // It waits for a GPU, so it cannot start before the queue has read the change.
    Job waiting = world.submit(JobFileText.of("b", "m", 1, 1, 1, ""));
    world.cordoned = Set.of("box");
    world.pipeline().rulesChanged();
    JobFixture.eventually(
        () ->
            world.service().reasons(java.util.List.of(waiting)).getFirst().stream()
                .anyMatch(reason -> reason.code().equals("wait.all-cordoned")),
        "the reason");
    assertThat(world.service().refresh(running.id()).orElseThrow().state())
        .isEqualTo(JobState.RUNNING);
    world.engine.finish(world.task(running, 0), 0);
    world.await(running, JobState.SUCCEEDED);
    assertThat(world.service().refresh(waiting.id()).orElseThrow().state())
        .isEqualTo(JobState.WAITING);
    world.cordoned = Set.of();
    world.pipeline().rulesChanged();
    world.await(waiting, JobState.RUNNING);
    world.close();
  }
}
