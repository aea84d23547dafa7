package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.Quotas;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the queue observes the limits, also when they change and after a restart. */
@EveryDatabase
class QuotaTest {
  private final JobFixture world;

  QuotaTest(Db db) {
    world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String file(String name, String cluster, int cpus) {
    return """
    {"jobName": "%s", "image": "x", "virtualCluster": "%s",
     "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": %d, "memoryMB": 100,
                    "command": "sleep"}]}
    """
        .formatted(name, cluster, cpus);
  }

  private static Quotas lab(long cpus) {
    return new Quotas(Map.of("lab", Quota.UNLIMITED.withCpus(cpus)), Quota.UNLIMITED, Map.of());
  }

  @Test
  void plan_withinQuotaEvenAfterRestart() {
    world.quotas = lab(2);
    world.started();
    Job first = world.await(world.submit(file("first", "lab", 2)), JobState.RUNNING);
    Job second = world.submit(file("second", "lab", 1));
    world.awaitWhy(second, "needs 1 CPU: virtual cluster lab uses 2 of its 2");
    Job other = world.submit(file("other", "default", 1));
    world.await(other, JobState.RUNNING);
    world.pipeline().close();
    world.liveAgain().started();
    world.awaitWhy(second, "needs 1 CPU: virtual cluster lab uses 2 of its 2");
    assertThat(world.pipeline().uses().ofVirtualCluster("lab").cpus()).isEqualTo(2);
    world.engine.finish(world.task(first, 0), 0);
    world.await(second, JobState.RUNNING);
    assertThat(world.job(first).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void rulesChanged_takesEffectImmediately() {
    world.quotas = lab(1);
    world.started();
    world.await(world.submit(file("first", "lab", 1)), JobState.RUNNING);
    Job second = world.submit(file("second", "lab", 1));
    world.awaitWhy(second, "virtual cluster lab uses 1 of its 1");
    world.quotas = lab(2);
    world.pipeline().rulesChanged();
    world.await(second, JobState.RUNNING);
  }

  @Test
  void tick_findsChangeOfAnotherServer() {
    world.quotas = lab(0);
    world.started();
    Job job = world.submit(file("job", "lab", 1));
    world.awaitWhy(
        job, "can never be scheduled: needs 1 CPU, the quota of virtual cluster lab is 0");
    world.quotas = Quotas.NONE;
    world.pass(Duration.ofSeconds(5));
    world.await(job, JobState.RUNNING);
  }
}
