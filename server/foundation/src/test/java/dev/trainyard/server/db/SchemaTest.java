package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaTest {
  @Test
  void newest_isTheNewestMigration() throws Exception {
    Path directory = Path.of(SchemaTest.class.getResource("/db/migration").toURI());
    try (Stream<Path> files = Files.list(directory)) {
      int newest =
          files
              .map(file -> file.getFileName().toString())
              .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
              .max()
              .orElseThrow();
      assertThat(Schema.NEWEST).isEqualTo(newest);
    }
  }
}
