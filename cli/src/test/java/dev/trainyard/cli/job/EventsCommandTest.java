package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.ServedShell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventsCommandTest extends ServedShell {
  private static final String SUBMITTED =
      event(1, "SUBMITTED", "event.submitted", "{\"user\":\"alice\"}");
  private static final String RETRYING =
      event(
          2,
          "RETRYING",
          "event.retrying",
          "{\"attempt\":1,\"seconds\":5,\"reason\":{\"code\":\"end.exit-code\","
              + "\"params\":{\"exitCode\":3}}}");
  private static final String FAILED =
      event(
          3,
          "FAILED",
          "event.failed",
          "{\"reason\":{\"code\":\"end.hopeless\",\"params\":{\"faults\":3,\"last\":"
              + "{\"code\":\"end.node-lost\",\"params\":{}}}}}");

  private static String event(int id, String type, String code, String params) {
    return ("{\"id\":%d,\"time\":0,\"job\":\"01J\",\"user\":\"alice\",\"name\":\"hello\","
            + "\"type\":\"%s\",\"warning\":false,\"attempt\":1,\"message\":\"x\",\"code\":\"%s\","
            + "\"params\":%s}")
        .formatted(id, type, code, params);
  }

  private void servePage(String path, String next, String... newestFirst) {
    server.on("GET", path, 200, "{\"events\":[" + String.join(",", newestFirst) + "]" + next + "}");
  }

  private void serveJob(String state) {
    server.on(
        "GET",
        "/api/v3/jobs/hello",
        200,
        "{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\",\"state\":\"" + state + "\"}");
  }

  private List<String> printedSentences() {
    return shell
        .out()
        .lines()
        .map(line -> line.substring("1970-01-01 00:00:00  ".length()))
        .toList();
  }

  @Test
  void events_oneJob_oldestFirstWithReasons() {
    servePage("/api/v3/jobs/hello/events", "", FAILED, RETRYING, SUBMITTED);
    assertThat(shell.run("events", "hello")).isZero();
    assertThat(printedSentences())
        .containsExactly(
            "submitted by alice",
            "attempt 1 finished (exited with code 3); retrying in 5 seconds",
            "failed: failed permanently after 3 consecutive platform failures; the last one: lost:"
                + " its node was restarted");
  }

  @Test
  void events_inChinese() {
    servePage("/api/v3/jobs/hello/events", "", FAILED);
    assertThat(shell.run("events", "hello", "--lang", "zh")).isZero();
    assertThat(shell.out()).contains("失败：").doesNotContain("lost", "code");
  }

  @Test
  void events_allJobs_nameTheJob() {
    servePage("/api/v3/events", ",\"next\":1", SUBMITTED);
    assertThat(shell.run("events", "-n", "1")).isZero();
    assertThat(printedSentences()).containsExactly("alice~hello  submitted by alice");
    assertThat(shell.err()).contains("Showing the newest 1");
    assertThat(server.requestLines()).contains("GET /api/v3/events?limit=1");
  }

  @Test
  void events_json_isArray() {
    servePage("/api/v3/jobs/hello/events", "", RETRYING, SUBMITTED);
    assertThat(shell.run("events", "hello", "--json")).isZero();
    assertThat(shell.out()).startsWith("[").contains("\"id\" : 1", "\"exitCode\" : 3");
  }

  @Test
  void events_none() {
    servePage("/api/v3/events", "");
    assertThat(shell.run("events")).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(shell.err()).contains("No events");
  }

  @Test
  void follow_lostConnection_continues() {
    serveJob("RUNNING");
    servePage("/api/v3/jobs/01J/events", "", SUBMITTED);
    AtomicInteger connections = new AtomicInteger();
    server.on(
        "GET",
        "/api/v3/events",
        exchange ->
            stream(
                exchange,
                connections.incrementAndGet() == 1
                    ? "retry: 1\nid: 1\n\n:\n\ndata: " + RETRYING + "\nid: 2\n\n: heart"
                    : "id: 2\n\ndata: " + FAILED + "\nid: 3\n\n"));
    assertThat(shell.run("events", "hello", "-f", "--json")).isZero();
    assertThat(shell.out().lines()).containsExactly(SUBMITTED, RETRYING, FAILED);
    assertThat(server.requestLines())
        .endsWith("GET /api/v3/events?after=1&job=01J", "GET /api/v3/events?after=2&job=01J");
  }

  private static void stream(HttpExchange exchange, String text) throws IOException {
    assertThat(exchange.getRequestHeaders().getFirst("Accept")).isEqualTo("text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    exchange.close();
  }

  @Test
  void follow_finishedJob_returns() {
    serveJob("FAILED");
    servePage("/api/v3/jobs/01J/events", "", FAILED, SUBMITTED);
    assertThat(shell.run("events", "hello", "-f")).isZero();
    assertThat(printedSentences()).hasSize(2);
  }

  @Test
  void follow_serverReset_printsNote() {
    serveJob("RUNNING");
    servePage("/api/v3/jobs/01J/events", "");
    server.on(
        "GET",
        "/api/v3/events",
        exchange ->
            stream(exchange, "event: reset\ndata: {}\nid: 1\n\ndata: " + FAILED + "\nid: 3\n\n"));
    assertThat(shell.run("events", "hello", "-f")).isZero();
    assertThat(shell.err()).contains("restored from a backup");
  }

  @Test
  void events_unknownJob() {
    assertThat(shell.run("events", "none")).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.run("events", "-n", "0")).isEqualTo(2);
  }
}
