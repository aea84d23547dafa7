package dev.trainyard.server.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.config.DataDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobTokensTest {
  @TempDir Path directory;

  @Test
  void open_again_tokensStayValid() {
    JobId job = new JobId(new Ulid(Clock.systemUTC()).next());
    String token = JobTokens.open(new DataDirectory(directory)).of(job, 2);
    assertThat(JobTokens.open(new DataDirectory(directory)).verify(token))
        .contains(new JobTokens.Claim(job, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not base64!", "c2hvcnQ=", "\u00ff\u00fe"})
  void open_damagedKey_explained(String content) throws Exception {
    Path file = directory.resolve("job-token-key");
    Files.write(file, content.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> JobTokens.open(new DataDirectory(directory)))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo("config.job-token-key"))
        .hasMessageContaining(file.toString());
  }

  @Test
  void open_directoryInsteadOfTheKey_explained() throws Exception {
    Files.createDirectory(directory.resolve("job-token-key"));
    assertThatThrownBy(() -> JobTokens.open(new DataDirectory(directory)))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo("config.data-file"));
  }
}
