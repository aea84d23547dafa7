package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a server with PostgreSQL. */
class PostgresIT extends NeedsSandbox {
  @TempDir Path directory;

  @Test
  void up_onPostgres_runsAndStoresAJob() throws Exception {
    Path data = directory.resolve("data");
    try (Database.Running postgres = Database.POSTGRES.open(data)) {
      String[] options = postgres.options().toArray(String[]::new);
      String id;
      try (Trainyard trainyard = Trainyard.start(data, options)) {
        id = trainyard.submit(Trainyard.job("pg", "echo on postgres")).get("id").asText();
        trainyard.await(id, "SUCCEEDED");
        assertThat(data.resolve("trainyard.db")).doesNotExist();
      }
      try (Trainyard trainyard = Trainyard.start(data, options)) {
        assertThat(trainyard.run("logs", "pg").out()).isEqualTo("on postgres\n");
        assertThat(trainyard.run("rm", "--yes", "pg").exitCode()).isZero();
        assertThat(trainyard.run("ls", "--json").json()).isEmpty();
      }
    }
  }
}
