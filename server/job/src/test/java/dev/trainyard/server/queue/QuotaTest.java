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
  private final JobFixture fixture;

  QuotaTest(Db db) {
    fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String file(String name, String cluster, int cpus) {
    return """
    {"jobName": "%s", "image": "x", "virtualCluster": "%s",
     "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": %d, "memoryMB": 100,
                    "command": "sleep"}]}
    """
        .formatted(name, cluster, cpus);
  }

  private static Quotas quotasOfLab(long cpus) {
    return new Quotas(Map.of("lab", Quota.UNLIMITED.withCpus(cpus)), Quota.UNLIMITED, Map.of());
  }

  @Test
  void plan_withinQuotaEvenAfterRestart() {
    fixture.quotas = quotasOfLab(2);
    fixture.started();
    Job first = fixture.await(fixture.submit(file("first", "lab", 2)), JobState.RUNNING);
    Job second = fixture.submit(file("second", "lab", 1));
    fixture.awaitWaitReason(second, "needs 1 CPU: virtual cluster lab uses 2 of its 2");
    Job other = fixture.submit(file("other", "default", 1));
    fixture.await(other, JobState.RUNNING);
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.awaitWaitReason(second, "needs 1 CPU: virtual cluster lab uses 2 of its 2");
    assertThat(fixture.pipeline().uses().ofVirtualCluster("lab").cpus()).isEqualTo(2);
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(second, JobState.RUNNING);
    assertThat(fixture.job(first).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void rulesChanged_takesEffectImmediately() {
    fixture.quotas = quotasOfLab(1);
    fixture.started();
    fixture.await(fixture.submit(file("first", "lab", 1)), JobState.RUNNING);
    Job second = fixture.submit(file("second", "lab", 1));
    fixture.awaitWaitReason(second, "virtual cluster lab uses 1 of its 1");
    fixture.quotas = quotasOfLab(2);
    fixture.pipeline().constraintsChanged();
    fixture.await(second, JobState.RUNNING);
  }

  @Test
  void tick_findsChangeOfAnotherServer() {
    fixture.quotas = quotasOfLab(0);
    fixture.started();
    Job job = fixture.submit(file("job", "lab", 1));
    fixture.awaitWaitReason(job, "needs 1 CPU, the quota of virtual cluster lab is 0");
    fixture.quotas = Quotas.NONE;
    fixture.advanceClock(Duration.ofSeconds(5));
    fixture.await(job, JobState.RUNNING);
  }
}
