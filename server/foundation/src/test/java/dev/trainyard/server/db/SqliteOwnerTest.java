package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteOwnerTest {
  @TempDir Path directory;

  private static Lease.Claim claim(String host, String directory, String boot) {
    return new Lease.Claim("process 1 on " + host, "", host + " " + directory, boot);
  }

  private static void claim(Db db, Lease.Claim claim) {
    SqliteOwner.claim(db, claim, true, false);
  }

  @Test
  void claim_unfinishedAttemptsOnAnotherHost_rejectedDespiteEqualInode() throws Exception {
    try (Db db = Databases.open("", directory)) {
      claim(db, claim("one", "1:2", "boot-1"));
      try (Connection connection =
              DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("trainyard.db"));
          Statement statement = connection.createStatement()) {
        statement.execute("insert into attempt (job_id, number, created) values ('job', 1, 1)");
      }
      assertThatThrownBy(() -> claim(db, claim("two", "1:2", "boot-2")))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("process 1 on one");
      assertThatCode(() -> claim(db, claim("one", "3:4", "boot-2"))).doesNotThrowAnyException();
      assertThatCode(() -> claim(db, claim("two", "3:4", "boot-2"))).doesNotThrowAnyException();
    }
  }
}
