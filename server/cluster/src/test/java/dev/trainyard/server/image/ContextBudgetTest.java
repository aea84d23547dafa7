package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ContextBudgetTest {
  private final ContextBudget budget = new ContextBudget(3, 10, 1_000);

  private void assertRejected(ErrorCode code, ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void begin_twoPerUserAndThreeInTotal() {
    ContextBudget.Upload first = budget.begin("alice", "a");
    ContextBudget.Upload second = budget.begin("alice", "b");
    assertRejected(ErrorCode.TOO_MANY_REQUESTS, () -> budget.begin("alice", "c"));
    ContextBudget.Upload third = budget.begin("bob", "d");
    assertRejected(ErrorCode.UNAVAILABLE, () -> budget.begin("carol", "e"));
    first.close();
    budget.begin("alice", "c").close();
    second.close();
    third.close();
    assertThat(budget.userCount()).isZero();
  }

  @Test
  void take_contextsCountUntilTheyAreDeleted() {
    try (ContextBudget.Upload upload = budget.begin("alice", "a")) {
      upload.reserve(8, 100);
    }
    try (ContextBudget.Upload upload = budget.begin("alice", "b")) {
      upload.reserve(2, 900);
      assertRejected(ErrorCode.CONFLICT, () -> upload.reserve(1, 0));
      assertRejected(ErrorCode.CONFLICT, () -> upload.reserve(0, 1));
      try (ContextBudget.Upload other = budget.begin("bob", "c")) {
        other.reserve(10, 1_000);
      }
      budget.stopCounting("a");
      upload.reserve(8, 100);
    }
    budget.add("alice", "b", 5, 5);
    assertThat(budget.directories("alice")).containsExactly("b");
    budget.stopCounting("b");
    budget.stopCounting("c");
    assertThat(budget.userCount()).isZero();
  }
}
