package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.queue.JobFixture;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

class JobTagsTest {
  /** Performs the first transaction, rolls it back, and repeats it if requested. */
  private static final class RollingBack implements Db {
    private final Db db;
    private final boolean repeats;
    private boolean done;

    RollingBack(Db db, boolean repeats) {
      this.db = db;
      this.repeats = repeats;
    }

    @Override
    public <T> T write(Transaction<T> work) {
      return done ? db.write(work) : db.write(handle -> afterRollback(handle, work));
    }

    private <T> T afterRollback(Handle handle, Transaction<T> work) {
      done = true;
      handle.execute("savepoint attempt");
      work.run(handle);
      handle.execute("rollback to attempt");
      if (!repeats) {
        throw new IllegalStateException("cut");
      }
      return work.run(handle);
    }

    @Override
    public <T> T read(Transaction<T> work) {
      return db.read(work);
    }

    @Override
    public void close() {
      db.close();
    }
  }

  private static int records(Db db) {
    return db.read(
        handle ->
            handle
                .createQuery("select count(*) from audit where action = 'job.tag'")
                .mapTo(Integer.class)
                .one());
  }

  @Test
  void add_transactionIsRepeated_isRecorded() {
    try (Db db = TestDatabase.SQLITE.create();
        JobFixture fixture = new JobFixture(db)) {
      Job job = fixture.submit(JobFileText.named("tagged"));
      JobTags tags = new JobTags(new RollingBack(db, true), fixture.clock);
      assertThat(tags.add(JobFixture.ALICE, job, "one")).isTrue();
      assertThat(records(db)).isEqualTo(1);
    }
  }

  @Test
  void add_transactionFails_nextOneIsRecorded() {
    try (Db db = TestDatabase.SQLITE.create();
        JobFixture fixture = new JobFixture(db)) {
      Job job = fixture.submit(JobFileText.named("tagged"));
      JobTags tags = new JobTags(new RollingBack(db, false), fixture.clock);
      assertThatThrownBy(() -> tags.add(JobFixture.ALICE, job, "one"))
          .isInstanceOf(IllegalStateException.class);
      assertThat(tags.add(JobFixture.ALICE, job, "one")).isTrue();
      assertThat(records(db)).isEqualTo(1);
    }
  }
}
