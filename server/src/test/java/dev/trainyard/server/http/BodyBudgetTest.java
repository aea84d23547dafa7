package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final BodyBudget budget = new BodyBudget(new DataSize(1_600));

  private static void assertRefused(BodyBudget.Account account, int bytes, ErrorCode code) {
    assertThatThrownBy(() -> account.take(bytes))
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void take_userHasAQuarter() {
    BodyBudget.Account first = budget.ofUser("a");
    BodyBudget.Account second = budget.ofUser("a");
    first.take(300);
    assertRefused(second, 101, ErrorCode.TOO_MANY_REQUESTS);
    second.take(100);
    first.close();
    second.take(300);
    second.close();
    assertThat(budget.held()).isZero();
    assertThat(budget.senders()).isZero();
  }

  @Test
  void take_guestsTogetherHaveAQuarter() {
    for (int i = 0; i < 4; i++) {
      budget.ofGuest("192.0.2." + i).take(100);
    }
    assertRefused(budget.ofGuest("192.0.2.0"), 1, ErrorCode.TOO_MANY_REQUESTS);
    assertRefused(budget.ofGuest("192.0.2.9"), 1, ErrorCode.UNAVAILABLE);
    budget.ofUser("a").take(400);
    assertThat(budget.held()).isEqualTo(800);
  }

  @Test
  void take_total() {
    for (String user : new String[] {"a", "b", "c", "d"}) {
      budget.ofUser(user).take(400);
    }
    assertRefused(budget.ofUser("e"), 1, ErrorCode.UNAVAILABLE);
    assertThat(budget.held()).isEqualTo(1_600);
  }

  @Test
  void take_afterTheRequestEnded() {
    BodyBudget.Account account = budget.ofUser("a");
    account.close();
    account.take(100);
    assertThat(budget.held()).isZero();
  }
}
