package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.work.WorkPools;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElementCountTest {
  private static List<Object> list(int size) {
    return Collections.nCopies(size, Map.of("name", "x"));
  }

  @Test
  void of_nestedLists_countsAllElements() {
    assertThat(ElementCount.of(null)).isZero();
    assertThat(ElementCount.of("text")).isZero();
    assertThat(ElementCount.of(Map.of("a", 1, "b", Map.of("c", 2)))).isZero();
    assertThat(ElementCount.of(list(3))).isEqualTo(3);
    Map<String, Object> roles = new LinkedHashMap<>();
    roles.put("one", Map.of("tasks", list(300)));
    roles.put("two", Map.of("tasks", list(400)));
    assertThat(ElementCount.of(Map.of("name", "x", "roles", roles))).isEqualTo(700);
    assertThat(ElementCount.of(Collections.nCopies(10, Map.of("tasks", list(50))))).isEqualTo(510);
  }

  @Test
  void of_mapWithManyKeys_isAList() {
    Map<String, Object> roles = new LinkedHashMap<>();
    for (int i = 0; i < 300; i++) {
      roles.put("role" + i, Map.of());
    }
    assertThat(ElementCount.of(Map.of("roles", roles))).isEqualTo(300);
  }

  @Test
  void of_millionsOfElements_stopsEarly() {
    Object huge = list(1_000_000);
    for (int depth = 0; depth < 10; depth++) {
      huge = Collections.nCopies(1_000_000, huge);
    }
    assertThat(ElementCount.of(huge)).isGreaterThan(WorkPools.MAX_SHORT_COUNT);
    Object flat = Map.of();
    for (int depth = 0; depth < 30; depth++) {
      flat = Map.of("a", flat, "b", flat);
    }
    assertThat(ElementCount.of(flat))
        .as("a billion fields")
        .isGreaterThan(WorkPools.MAX_SHORT_COUNT);
  }
}
