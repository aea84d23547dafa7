package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.ServedShell;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TagCommandTest extends ServedShell {
  private static final String JOB =
      "{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\",\"state\":\"SUCCEEDED\","
          + "\"submitted\":1000,\"tags\":[\"good\",\"paper figure 3\"]}";

  @Test
  void tag_addsAndShowsAll() {
    server.on("PUT", "/api/v3/jobs/hello/tags/good", 204, "");
    server.on("PUT", "/api/v3/jobs/hello/tags/paper figure 3", 204, "");
    server.on("GET", "/api/v3/jobs/hello", 200, JOB);
    assertThat(shell.run("tag", "hello", "good", "paper figure 3")).isZero();
    assertThat(shell.out()).isEqualTo("good\npaper figure 3\n");
  }

  @Test
  void tag_removes() {
    server.on("DELETE", "/api/v3/jobs/hello/tags/bad", 204, "");
    server.on("GET", "/api/v3/jobs/hello", 200, JOB);
    assertThat(shell.run("tag", "hello", "-d", "bad", "--json")).isZero();
    assertThat(shell.out()).contains("\"good\"").startsWith("[");
    assertThat(server.requestLines()).anyMatch(line -> line.startsWith("DELETE "));
  }

  @Test
  void tag_severalJobs_continuesAfterError() {
    server.on("PUT", "/api/v3/jobs/hello/tags/good", 204, "");
    server.on("GET", "/api/v3/jobs/hello", 200, JOB);
    server.on(
        "PUT",
        "/api/v3/jobs/none/tags/good",
        404,
        "{\"code\":\"NOT_FOUND\",\"message\":\"there is no job none\"}");
    assertThat(shell.run("tag", "none", "good", "--also", "hello")).isNotZero();
    assertThat(shell.out()).isEqualTo("hello: good, paper figure 3\n");
    assertThat(shell.err()).contains("none");
  }

  @Test
  void templates_areListedShownAndReplacedByName() {
    server.on(
        "GET",
        "/api/v3/templates",
        200,
        "{\"templates\":[{\"id\":\"hello\",\"name\":\"hello\",\"description\":\"x\",\"builtIn\":true,\"descriptionCode\":\"template.hello\"},{\"id\":\"01J\",\"name\":\"my"
            + " own\",\"description\":\"mine\",\"builtIn\":false}]}");
    server.on("GET", "/api/v3/templates/01J", 200, "{\"id\":\"01J\",\"text\":\"{}\"}");
    server.on("PUT", "/api/v3/templates/01J", 200, "{\"id\":\"01J\"}");
    server.on("POST", "/api/v3/templates", 201, "{\"id\":\"02J\"}");
    assertThat(shell.run("templates")).isZero();
    assertThat(shell.out()).contains("A first job", "my own");
    assertThat(shell.run("templates", "show", "my own")).isZero();
    assertThat(shell.out()).endsWith("{}\n");
    assertThat(shell.run("templates", "save", "my own", "/dev/null")).isZero();
    assertThat(server.requestLines().getLast()).startsWith("PUT ");
    // A built-in template cannot be replaced, but a user's template may have the same name.
    assertThat(shell.run("templates", "save", "hello", "/dev/null")).isZero();
    assertThat(server.requestLines().getLast()).startsWith("POST ");
  }

  @Test
  void ls_search_isPagedByOffset() {
    AtomicInteger pages = new AtomicInteger();
    server.on(
        "GET",
        "/api/v3/jobs",
        exchange -> {
          String jobs = pages.incrementAndGet() == 1 ? JOB : "";
          FakeServer.reply(exchange, 200, "{\"jobs\":[" + jobs + "]}");
        });
    assertThat(shell.run("ls", "--keyword", "hel", "--tag", "good,x", "--sort=-ended", "-n", "1"))
        .isZero();
    assertThat(server.requestLines().getLast())
        .contains("keyword=hel", "tag=good%2Cx", "sort=-ended", "offset=0", "limit=1");
    assertThat(shell.out()).contains("hello");
  }
}
