package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final BodyBudget budget = new BodyBudget(new DataSize(1_600));

  private static void assertRefused(BodyBudget.Account account, int bytes, ErrorCode code) {
    assertThatThrownBy(() -> account.addBytes(bytes))
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private BodyBudget.Account user(String id) {
    return budget.ofUser(id, new DataSize(100));
  }

  @Test
  void take_userHasAQuarter() {
    BodyBudget.Account first = user("a");
    BodyBudget.Account second = user("a");
    first.addBytes(300);
    assertRefused(second, 101, ErrorCode.TOO_MANY_REQUESTS);
    second.addBytes(100);
    first.close();
    second.addBytes(300);
    second.close();
    assertThat(budget.bytesInUse()).isZero();
    assertThat(budget.senders()).isZero();
  }

  @Test
  void take_quarterIsLessThanTheLargestBody_oneFits() {
    BodyBudget.Account large = budget.ofUser("a", new DataSize(1_000));
    large.addBytes(1_000);
    assertRefused(budget.ofUser("a", new DataSize(1_000)), 1, ErrorCode.TOO_MANY_REQUESTS);
    user("b").addBytes(400);
  }

  @Test
  void take_guestsTogetherHaveAQuarter() {
    for (int i = 0; i < 4; i++) {
      BodyBudget.Account complete = budget.ofGuest("192.0.2." + i);
      complete.addBytes(100);
      complete.finish();
    }
    assertRefused(budget.ofGuest("192.0.2.0"), 1, ErrorCode.TOO_MANY_REQUESTS);
    assertRefused(budget.ofGuest("192.0.2.9"), 1, ErrorCode.UNAVAILABLE);
    user("a").addBytes(400);
    assertThat(budget.bytesInUse()).isEqualTo(800);
  }

  @Test
  void take_completeBodyIsParsed_notDroppedForOthers() {
    List<String> ended = new ArrayList<>();
    BodyBudget.Account complete = budget.ofGuest("192.0.2.1");
    complete.onDropped(() -> ended.add("complete"));
    complete.addBytes(50);
    complete.finish();
    complete.addBytes(50); // its parsed form
    assertRefused(budget.ofGuest("192.0.2.1"), 1, ErrorCode.TOO_MANY_REQUESTS);
    assertThat(ended).isEmpty();
  }

  @Test
  void take_guestsHoldTheirQuarter_dropsTheOldestIncomplete() {
    List<String> ended = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String address = "192.0.2." + i;
      BodyBudget.Account account = budget.ofGuest(address);
      account.onDropped(() -> ended.add(address));
      account.addBytes(100);
    }
    budget.ofGuest("192.0.2.9").addBytes(100);
    assertThat(ended).containsExactly("192.0.2.0");
    budget.ofGuest("192.0.2.2").addBytes(50);
    assertThat(ended).containsExactly("192.0.2.0", "192.0.2.2");
    assertThat(budget.bytesInUse()).isEqualTo(350);
    assertRefused(budget.ofGuest("192.0.2.4"), 101, ErrorCode.TOO_MANY_REQUESTS);
  }

  @Test
  void take_totalLimit_isEnforced() {
    for (String user : new String[] {"a", "b", "c", "d"}) {
      user(user).addBytes(400);
    }
    assertRefused(user("e"), 1, ErrorCode.UNAVAILABLE);
    assertThat(budget.bytesInUse()).isEqualTo(1_600);
  }

  @Test
  void take_afterTheRequestEnded() {
    BodyBudget.Account account = user("a");
    account.close();
    account.addBytes(100);
    assertThat(budget.bytesInUse()).isZero();
  }
}
