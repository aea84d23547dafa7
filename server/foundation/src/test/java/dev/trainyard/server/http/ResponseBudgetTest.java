package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseBudgetTest {
  private static final int MB = 1 << 20;

  private final ResponseBudget budget = new ResponseBudget(new DataSize(16 * MB));
  private final List<String> aborted = new ArrayList<>();

  private ResponseBudget.Account take(String client, String name, int bytes) {
    return budget.reserve(client, bytes, true, () -> aborted.add(name));
  }

  @Test
  void take_responsesBelowOneMegabyte_areLimitedByTheirBytes() {
    List<ResponseBudget.Account> taken = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      taken.add(take("alice", "a" + i, MB / 2));
    }
    assertThatThrownBy(() -> take("alice", "a", MB / 2))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> assertThat(e.text().code()).isEqualTo("error.unread-responses"));
    take("alice", "small", ResponseBudget.MAX_SMALL_RESPONSE).close();
    take("bob", "b", 4 * MB).close();
    taken.getFirst().close();
    take("alice", "a", MB / 2).close();
    taken.forEach(ResponseBudget.Account::close);
    assertThat(budget.bytesInUse()).isZero();
    assertThat(aborted).isEmpty();
  }

  /** It still counts, so it can abort the responses of the client that holds most. */
  @Test
  void take_responseToAChange_isNotRejected() {
    take("alice", "a", 4 * MB);
    budget.reserve("alice", 8 * MB, false, () -> aborted.add("change"));
    assertThat(aborted).isEmpty();
    assertThat(budget.bytesInUse()).isEqualTo(12 * MB);
    budget.reserve("alice", 8 * MB, false, () -> aborted.add("next change"));
    assertThat(aborted).containsExactly("a");
  }

  @Test
  void take_largerThanShare_isAllowedIfOnlyOne() {
    try (ResponseBudget.Account only = take("alice", "a", 10 * MB)) {
      assertThatThrownBy(() -> take("alice", "b", MB)).isInstanceOf(AppException.class);
      assertThat(only).isNotNull();
    }
    take("alice", "huge", 100 * MB).close();
    assertThat(budget.bytesInUse()).isZero();
  }

  @Test
  void take_largerThanAllOthers_abortsNothingOfOtherClients() {
    take("bob", "b", MB);
    take("alice", "huge", 100 * MB);
    assertThat(aborted).isEmpty();
    take("carol", "c", MB);
    assertThat(aborted).containsExactly("huge");
  }

  @Test
  void take_totalAboveLimit_abortsLargestHolder() {
    for (String client : List.of("a", "b", "c")) {
      take(client, client, 4 * MB);
    }
    take("d", "d1", MB);
    take("d", "d2", 2 * MB);
    take("e", "e", MB);
    assertThat(aborted).isEmpty();
    try (ResponseBudget.Account account = take("f", "f", MB)) {
      assertThat(account).isNotNull();
      assertThat(aborted).containsExactly("a");
    }
    take("g", "g", 8 * MB);
    assertThat(aborted).containsExactly("a");
    take("h", "h", MB);
    assertThat(aborted).containsExactly("a", "g");
    assertThat(budget.bytesInUse()).isLessThanOrEqualTo(16 * MB);
  }

  @Test
  void close_afterAbort_releasesOnce() {
    ResponseBudget.Account first = take("a", "a", 10 * MB);
    ResponseBudget.Account second = take("b", "b", 10 * MB);
    assertThat(aborted).containsExactly("a");
    first.close();
    assertThat(budget.bytesInUse()).isEqualTo(10 * MB);
    second.close();
    assertThat(budget.bytesInUse()).isZero();
  }
}
