package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the program {@code build/vulnerabilities} with a list of libraries and a local database.
 */
class VulnerabilitiesTest {
  @TempDir Path directory;
  private HttpServer database;

  @BeforeEach
  void startDatabase() throws IOException {
    Requirement.require("curl", Files.isExecutable(Path.of("/usr/bin/curl")), "no curl");
    database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    database.createContext(
        "/",
        exchange -> {
          String query =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          String response =
              query.contains("pkg:maven/org.example/old@1.0\"")
                  ? "{\"vulns\": [{\"id\": \"GHSA-xxxx\", \"aliases\": [\"CVE-1\"]}]}"
                  : "{}";
          exchange.sendResponseHeaders(200, response.length());
          exchange.getResponseBody().write(response.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    database.start();
  }

  @AfterEach
  void stopDatabase() {
    if (database != null) {
      database.stop(0);
    }
  }

  private record Run(int exitCode, String output) {}

  private Run run(String libraries) throws Exception {
    Path list = Files.writeString(directory.resolve("list"), libraries);
    ProcessBuilder builder =
        new ProcessBuilder("bash", "../../build/vulnerabilities", list.toString());
    String url = "http://127.0.0.1:" + database.getAddress().getPort() + "/";
    builder.environment().put("OSV_URL", url);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  @Test
  void lookUp_vulnerableLibrary_isListedAndFails() throws Exception {
    Run run = run("org.example:good:2.0\norg.example:old:1.0\n");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output())
        .contains("org.example:old:1.0 GHSA-xxxx", "1 of 2 libraries")
        .doesNotContain("good");
  }

  @Test
  void lookUp_noVulnerableLibrary_succeeds() throws Exception {
    assertThat(run("org.example:good:2.0\n").exitCode()).isZero();
  }

  /** It must not pass because nothing was looked up. */
  @Test
  void lookUp_emptyListOrNoDatabase_fails() throws Exception {
    assertThat(run("").exitCode()).isEqualTo(2);
    database.stop(0);
    assertThat(run("org.example:good:2.0\n").exitCode()).isEqualTo(2);
  }
}
