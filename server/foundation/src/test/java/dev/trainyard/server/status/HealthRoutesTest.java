package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the responses that a load balancer reads; none of them shows a reason to strangers. */
class HealthRoutesTest {
  private final Health health = new Health();
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0), new HealthRoutes(health, "key")::addTo, _ -> Optional.empty());

  @AfterEach
  void close() {
    web.close();
  }

  @Test
  void healthz_engineAbsent_isDegradedButReady() throws Exception {
    health.require("database", Optional::empty);
    health.prefer("engine", () -> Optional.of("no socket"));
    HttpResponse<String> response = web.get("/healthz");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"status\":\"degraded\",\"degraded\":\"engine\"}");
  }

  @Test
  void healthz_databaseUnusable_isNotReadyAndNamesDatabase() throws Exception {
    health.require("database", () -> Optional.of("connection refused"));
    health.prefer("engine", () -> Optional.of("no socket"));
    HttpResponse<String> response = web.get("/healthz");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .isEqualTo("{\"status\":\"failing\",\"failing\":\"database\",\"degraded\":\"engine\"}");
    assertThat(web.get("/livez").statusCode()).isEqualTo(200);
  }
}
