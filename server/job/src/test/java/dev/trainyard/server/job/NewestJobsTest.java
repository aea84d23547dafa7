package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.secret.TestSecrets;
import dev.trainyard.server.team.JobAdmission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

@EveryDatabase
class NewestJobsTest {
  private static final Caller ALICE = new Caller("u1", "alice", true, "t1");

  /** A user who was deleted before Alice received the same name. */
  private static final Caller EARLIER_ALICE = new Caller("u9", "alice", false, "t9");

  private final JobService service;

  NewestJobsTest(Db db) {
    this.service =
        new JobService(
            db,
            new JobStore(InstantSource.system()),
            new AttemptStore(),
            new SilentQueue(),
            TestSecrets.create(),
            new JobChanges(),
            JobFiles::parse,
            JobAdmission.ALLOW_ALL,
            _ -> List.of(),
            _ -> {},
            InstantSource.fixed(Instant.EPOCH));
  }

  private void submit(Caller owner, String name) {
    service.submit(owner, JobFileText.named(name), false);
  }

  private List<String> newestJobs(Caller user, int limit) {
    return service.lists().newestOf(user.userId(), limit).stream().map(Job::name).toList();
  }

  @Test
  void newestOf_nameUsedByAnEarlierUser_jobsOfTheEarlierUserDoNotCount() {
    submit(ALICE, "first");
    submit(ALICE, "second");
    submit(EARLIER_ALICE, "third");
    submit(EARLIER_ALICE, "fourth");
    assertThat(newestJobs(ALICE, 2)).containsExactly("second", "first");
    assertThat(newestJobs(ALICE, 1)).containsExactly("second");
    assertThat(newestJobs(EARLIER_ALICE, 10)).containsExactly("fourth", "third");
  }
}
