package dev.trainyard.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Csv;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditHttpTest {
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "user", new Caller("u1", "alice", false, "t1"),
          "admin", new Caller("u2", "root", true, "t2"));

  private final MutableClock clock = new MutableClock();
  private final Db db = TestDatabase.SQLITE.create();
  private final Audit audit = new Audit(clock);
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0),
          routes -> new AuditRoutes(db).addTo(routes),
          token -> Optional.ofNullable(CALLERS.get(token)));

  @AfterEach
  void stop() {
    web.close();
    db.close();
  }

  private void records(int count, String target) {
    Actor actor = new Actor("u2", "root", "t2", "10.0.0.1");
    db.write(
        handle -> {
          for (int i = 0; i < count; i++) {
            audit.record(handle, actor, "user.create", target, Map.of(), Map.of("n", i));
          }
          return null;
        });
  }

  private HttpResponse<String> get(String query, String token) throws Exception {
    return web.get("/api/v3/audit" + query, "Authorization", "Bearer " + token);
  }

  @Test
  void list_pagesNewestFirst() throws Exception {
    records(3, "user:alice");
    JsonNode first = TestWeb.json(get("?limit=2", "admin"));
    assertThat(first.get("records").findValuesAsText("action")).hasSize(2);
    JsonNode newest = first.get("records").get(0);
    assertThat(newest.get("after").get("n").intValue()).isEqualTo(2);
    assertThat(newest.get("user").textValue()).isEqualTo("root");
    assertThat(newest.get("address").textValue()).isEqualTo("10.0.0.1");
    JsonNode last = TestWeb.json(get("?limit=2&after=" + first.get("next").textValue(), "admin"));
    assertThat(last.get("records")).hasSize(1);
    assertThat(last.has("next")).isFalse();
  }

  @Test
  void list_forAdministratorsOnly() throws Exception {
    assertThat(get("", "user").statusCode()).isEqualTo(403);
    assertThat(get("", "none").statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?limit=0",
        "?limit=501",
        "?since=x",
        "?until=99999999999999999",
        "?zone=Mars",
        "?format=xml"
      })
  void list_invalidQuery(String query) throws Exception {
    assertThat(get(query, "admin").statusCode()).isEqualTo(400);
  }

  @Test
  void list_since_omitsOlderRecords() throws Exception {
    records(1, "user:old");
    clock.advance(Duration.ofDays(2));
    records(1, "user:new");
    String day = clock.instant().toString().substring(0, 10);
    JsonNode found = TestWeb.json(get("?since=" + day, "admin"));
    assertThat(found.get("records").findValuesAsText("target")).containsExactly("user:new");
  }

  @Test
  void list_days_useTimeZone() throws Exception {
    records(1, "user:alice"); // at 08:00 in Greenwich, where it is the 15th
    String honolulu = "&zone=Pacific/Honolulu"; // at 22:00 of the 14th
    assertThat(found("?since=2027-01-15")).isEqualTo(1);
    assertThat(found("?since=2027-01-15" + honolulu)).isZero();
    assertThat(found("?until=2027-01-15")).isZero();
    assertThat(found("?until=2027-01-15" + honolulu)).isEqualTo(1);
    assertThat(found("?since=2027-01-15T08:00:00Z" + honolulu)).isEqualTo(1);
  }

  private int found(String query) throws Exception {
    return TestWeb.json(get(query, "admin")).get("records").size();
  }

  @Test
  void export_csv_completeWithoutFormulas() throws Exception {
    records(1201, "=cmd|' /C calc'!A0");
    HttpResponse<String> response =
        web.get("/api/v3/audit", "Authorization", "Bearer admin", "Accept", "text/csv");
    assertThat(response.headers().firstValue("content-type")).hasValue("text/csv; charset=utf-8");
    assertThat(response.body().lines()).hasSize(1202);
    assertThat(response.body()).startsWith("\uFEFF\"time\",\"user\",\"action\"");
    assertThat(response.body().lines().skip(1))
        .allSatisfy(line -> assertThat(line).contains(",\"'=cmd|' /C calc'!A0\","));
    assertThat(response.body()).contains("\"{\"\"n\"\":1200}\"");
  }

  @Test
  void export_jsonLines() throws Exception {
    records(2, "user:alice");
    HttpResponse<String> response = get("?format=jsonl", "admin");
    assertThat(response.body().lines()).hasSize(2);
    assertThat(response.body().lines().findFirst().orElseThrow()).contains("\"after\":{\"n\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1"})
  void cell_formula_becomesText(String text) {
    assertThat(Csv.cell(text)).startsWith("\"'");
  }
}
