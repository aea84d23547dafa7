package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StatusRegistryTest {
  private final StatusRegistry status = new StatusRegistry();

  @Test
  void view_failingPart_isUnknownAndNamed() {
    status.add("version", () -> "1.0");
    status.add(
        "jobs",
        () -> {
          throw new IllegalStateException("connection refused");
        });
    Map<String, Object> view = status.view();
    assertThat(view).containsEntry("version", "1.0").containsEntry("jobs", null);
    assertThat(warnings(view)).containsExactly("failed to get the jobs: connection refused");
  }

  @Test
  void view_hangingPart_doesNotHideTheOthers() {
    CountDownLatch end = new CountDownLatch(1);
    status.add("jobs", () -> awaitEnd(end));
    status.add("version", () -> "1.0");
    try {
      Map<String, Object> view = status.view();
      assertThat(view).containsEntry("version", "1.0").containsEntry("jobs", null);
      assertThat(warnings(view)).containsExactly("failed to get the jobs: no response");
    } finally {
      end.countDown();
    }
  }

  private static Object awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "late";
  }

  @Test
  void view_databaseAndEngineUnavailable_areNamed() {
    status.health().require("database", () -> Optional.of("connection refused"));
    status.health().prefer("engine", () -> Optional.of("no socket"));
    assertThat(warnings(status.view()))
        .containsExactly(
            "database not available: connection refused", "engine not available: no socket");
  }

  private static List<Object> warnings(Map<String, Object> view) {
    return ((List<?>) view.get("warnings"))
        .stream().<Object>map(warning -> ((Map<?, ?>) warning).get("message")).toList();
  }
}
