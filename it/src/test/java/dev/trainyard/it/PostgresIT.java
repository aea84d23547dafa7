package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same jar on PostgreSQL. */
class PostgresIT extends RootOnly {
  @TempDir Path directory;

  private static EmbeddedPostgres postgres() {
    try {
      return EmbeddedPostgres.start();
    } catch (IOException e) {
      throw Requirement.missing("postgres", "the embedded server did not start", e);
    }
  }

  @Test
  void up_onPostgres_runsAJobAndRemembersIt() throws Exception {
    try (EmbeddedPostgres postgres = postgres()) {
      String url = postgres.getJdbcUrl("postgres", "postgres");
      Path data = directory.resolve("data");
      String id;
      try (Trainyard trainyard = Trainyard.start(data, "--db", url)) {
        id = trainyard.submit(Trainyard.job("pg", "echo on postgres")).get("id").asText();
        trainyard.await(id, "SUCCEEDED");
        assertThat(data.resolve("trainyard.db")).doesNotExist();
      }
      try (Trainyard trainyard = Trainyard.start(data, "--db", url)) {
        assertThat(trainyard.run("logs", "pg").out()).isEqualTo("on postgres\n");
        assertThat(trainyard.run("rm", "--yes", "pg").exitCode()).isZero();
        assertThat(trainyard.run("ls", "--json").json()).isEmpty();
      }
    }
  }
}
