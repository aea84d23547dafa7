package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.queue.JobFixture;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Exporting a sorted list takes linear time: it is not sorted again for each part. */
class JobExportTest {
  /** More than two parts of the response. */
  private static final int JOBS = 1_100;

  private final SortCounter db = new SortCounter(TestDatabase.SQLITE.create());
  private final JobFixture fixture = new JobFixture(db);

  /** Counts the statements that sort the list. */
  private static final class SortCounter implements Db {
    private final Db db;
    private final AtomicInteger sorts = new AtomicInteger();
    private final SqlLogger logger =
        new SqlLogger() {
          @Override
          public void logBeforeExecution(StatementContext context) {
            if (context.getRenderedSql().contains(" as sort_key")) {
              sorts.incrementAndGet();
            }
          }
        };

    SortCounter(Db db) {
      this.db = db;
    }

    @Override
    public <T> T write(Transaction<T> work) {
      return db.write(work);
    }

    @Override
    public <T> T read(Transaction<T> work) {
      return db.read(handle -> work.run(handle.setSqlLogger(logger)));
    }

    @Override
    public void close() {
      db.close();
    }
  }

  @AfterEach
  void close() {
    fixture.close();
    db.close();
  }

  @Test
  void list_csvInManyParts_isSortedOnce() throws Exception {
    for (int i = 0; i < JOBS; i++) {
      fixture.submit(JobFileText.named("job" + i));
    }
    try (TestWeb web =
        new TestWeb(
            WebConfig.local(0),
            routes -> new JobRoutes(fixture.service()).addTo(routes),
            _ -> Optional.of(JobFixture.ALICE))) {
      String path = "/api/v3/jobs?format=csv&sort=name";
      String csv = web.get(path, "Authorization", "Bearer alice").body();
      assertThat(csv.lines()).hasSize(JOBS + 1);
    }
    // Another search determines the newest job.
    assertThat(db.sorts).hasPositiveValue().hasValueLessThanOrEqualTo(2);
  }
}
