package dev.trainyard.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.http.Route;
import dev.trainyard.server.limit.RequestKind;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends requests to every route of the server as every kind of caller. */
class AccessMatrixTest {
  private static final String OTHER_ROOT = "/rest-server";
  private static final int ALL_CALLERS = AccessCaller.values().length;
  private static final int TOO_LARGE_FOR_THE_MACHINE = 64;

  @TempDir static Path directory;
  private static AccessTestServer server;
  private static AccessFixture quiet;
  private static int worlds;

  @BeforeAll
  static void start() throws IOException {
    server = new AccessTestServer(directory.resolve("data"));
    quiet = fixture(1);
    // The lists need objects that other users must not see.
    quiet.fillPlaceholders("$job $group $vc $storage $tokens $requests");
    String job = "/api/v3/jobs/" + quiet.fillPlaceholders("$job");
    JobFixture.eventually(
        () -> server.sendAsAdministrator("GET", job, "").get("state").textValue().equals("RUNNING"),
        "the job to run");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static AccessFixture fixture(int cpus) {
    return new AccessFixture(server, ++worlds, cpus);
  }

  /** Returns the rows; requests without side effects come first, while lists are short. */
  static Stream<AccessRow> rows() {
    return AccessRow.all().stream().sorted(Comparator.comparing(AccessRow::changesSomething));
  }

  private static boolean isOpenPaiPath(String path) {
    return path.startsWith("/api/v1") || path.startsWith("/api/v2");
  }

  @Test
  void table_namesEveryRouteOnce() {
    List<String> expected = new ArrayList<>();
    for (AccessRow row : AccessRow.all()) {
      expected.add(row.route());
      if (isOpenPaiPath(row.path())) {
        expected.add(row.method() + " " + OTHER_ROOT + row.path());
      }
    }
    assertThat(expected).doesNotHaveDuplicates();
    assertThat(server.routes().stream().map(AccessMatrixTest::text).distinct())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Detects a renamed route to which the rate limit would no longer apply. */
  @Test
  void limits_countEverySubmissionAndList() {
    List<String> submissions =
        List.of(
            "POST /api/v3/jobs",
            "POST /api/v2/jobs",
            "POST /api/v1/jobs",
            "POST /api/v1/user/:user/jobs",
            "PUT /api/v1/user/:user/jobs/:name");
    List<String> lists =
        List.of(
            "GET /api/v3/jobs",
            "GET /api/v2/jobs",
            "GET /api/v1/jobs",
            "GET /api/v1/user/:user/jobs");
    assertThat(ofKind(RequestKind.SUBMISSION)).containsExactlyInAnyOrderElementsOf(submissions);
    assertThat(ofKind(RequestKind.LIST)).containsExactlyInAnyOrderElementsOf(lists);
  }

  private static Stream<String> ofKind(RequestKind kind) {
    return server.routes().stream()
        .filter(route -> RequestKind.of(route.method(), route.path()) == kind)
        .map(route -> text(route).replace(OTHER_ROOT, ""))
        .distinct();
  }

  private static String text(Route route) {
    return route.method() + " " + route.path();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void row_everyCaller(AccessRow row) {
    assertThat(row.line(tryCallers(row, "", ALL_CALLERS))).isEqualTo(row.line(row.outcomes()));
    if (isOpenPaiPath(row.path())) {
      // This is another path of the same endpoint, so for requests with side effects one permitted
      // caller is sufficient.
      int changers = row.changesSomething() ? 1 : ALL_CALLERS;
      assertThat(row.line(tryCallers(row, OTHER_ROOT, changers)))
          .isEqualTo(row.line(row.outcomes()));
    }
  }

  /**
   * @param maxAdmitted maximum number of permitted callers that send the request; for further
   *     permitted callers, the outcome of the table is assumed
   */
  private static Map<AccessCaller, String> tryCallers(AccessRow row, String root, int maxAdmitted) {
    AccessFixture shared = row.changesSomething() ? prepareFixture(row) : quiet;
    Map<AccessCaller, String> statuses = new EnumMap<>(AccessCaller.class);
    int admitted = 0;
    for (AccessCaller caller : AccessCaller.values()) {
      String expected = row.outcomes().get(caller);
      boolean rejected = expected.startsWith("4");
      if (!rejected && ++admitted > maxAdmitted) {
        statuses.put(caller, expected);
        continue;
      }
      AccessFixture fixture = row.changesSomething() && !rejected ? prepareFixture(row) : shared;
      var response = sendRequest(row, root, fixture, caller);
      if (response.status() / 100 == 2) {
        assertThat(response.body())
            .as("sent to " + caller)
            .doesNotContain(fixture.hiddenValues(caller));
      }
      statuses.put(caller, Integer.toString(response.status()));
    }
    return statuses;
  }

  private static AccessTestServer.Answer sendRequest(
      AccessRow row, String root, AccessFixture fixture, AccessCaller caller) {
    String method = row.method().equals("*") ? "GET" : row.method();
    String path = root + fixture.path(row.path()) + fixture.fillPlaceholders(row.query());
    return server.request(
        method, path, fixture.fillPlaceholders(row.body()), fixture.token(caller));
  }

  private static AccessFixture prepareFixture(AccessRow row) {
    AccessFixture fixture = fixture(TOO_LARGE_FOR_THE_MACHINE);
    if (!row.before().isEmpty()) {
      String[] request = row.before().split(" ", 2);
      String path = fixture.fillPlaceholders(request[1]);
      server.sendSuccessfully(request[0], path, "", fixture.token(AccessCaller.USER));
    }
    return fixture;
  }
}
