package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users receive the exact output of a program while the program writes it. */
class LogsIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"), "--log-limit", "4MB");
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  private HttpURLConnection follow(String id, String stream) throws Exception {
    var url =
        URI.create(trainyard.url() + "/api/v3/jobs/" + id + "/logs/-/-/" + stream + "?follow=true");
    HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
    String token = Files.readString(trainyard.data().resolve("local-token")).strip();
    connection.setRequestProperty("Authorization", "Bearer " + token);
    return connection;
  }

  @Test
  void follow_runningJob_returnsEveryByteBeforeTheEnd() throws Exception {
    String command =
        "printf 'step 1\\rstep 2\\r'; while [ ! -e /userhome/go ]; do sleep 0.05; done;"
            + " head -c 1000000 /dev/zero | tr '\\0' x; printf '\\000\\377\\n'";
    String id = trainyard.submit(Trainyard.job("live", command)).get("id").asText();
    try (InputStream in = follow(id, "stdout").getInputStream()) {
      assertThat(new String(in.readNBytes(14), StandardCharsets.UTF_8))
          .isEqualTo("step 1\rstep 2\r");
      Files.createFile(trainyard.data().resolve("home/admin/go"));
      byte[] rest = in.readAllBytes();
      assertThat(rest).hasSize(1_000_003);
      assertThat(rest[1_000_000]).isZero();
      assertThat(rest[1_000_001]).isEqualTo((byte) 0xFF);
    }
  }

  @Test
  void log_beyondTheLimit_keepsBeginningAndEnd() throws Exception {
    String command = "seq 1 2000000; echo the end";
    String id = trainyard.submit(Trainyard.job("chatty", command)).get("id").asText();
    trainyard.await(id, "SUCCEEDED");
    String log = trainyard.log(id, "stdout");
    assertThat(log)
        .startsWith("1\n2\n3\n")
        .endsWith("1999999\n2000000\nthe end\n")
        .contains("4 MB");
    assertThat(log.length()).isLessThan(6_000_000);
  }

  @Test
  void stderr_openedByName_works() throws Exception {
    String id =
        trainyard
            .submit(
                Trainyard.job(
                    "named", "echo a > /dev/stderr; echo b >> /dev/stderr; echo c > /dev/stdout"))
            .get("id")
            .asText();
    trainyard.await(id, "SUCCEEDED");
    assertThat(trainyard.log(id, "stderr")).isEqualTo("a\nb\n");
    assertThat(trainyard.log(id, "stdout")).isEqualTo("c\n");
  }
}
