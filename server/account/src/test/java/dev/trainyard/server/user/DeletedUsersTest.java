package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.token.TokenService;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verifies that no user gets the files of a deleted user of the same name. */
@EveryDatabase
class DeletedUsersTest {
  private final MutableClock clock = new MutableClock();
  private final Db db;
  private final List<String> moved = new ArrayList<>();
  private boolean fails;
  private boolean crashes;
  private UserService users;

  DeletedUsersTest(Db db) {
    this.db = db;
  }

  @BeforeEach
  void start() {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    users.setUserFiles(this::moveAway);
    if (users.isEmpty()) {
      users.create("root", "password", true);
    }
  }

  private void moveAway(String id, String name) throws IOException {
    if (crashes) {
      throw new SimulatedCrash();
    }
    if (fails) {
      throw new IOException("read-only file system");
    }
    moved.add(id + " " + name);
  }

  private static final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;
  }

  @Test
  void delete_filesAreMovedOnce() {
    User alice = users.create("Alice", "password", false);
    users.delete(Actor.SYSTEM, "alice");
    assertThat(moved).containsExactly(alice.id() + " Alice");
    users.create("alice", "password", false);
    start();
    assertThat(moved).hasSize(1);
  }

  @Test
  void delete_moveFails_nameCannotBeUsedUntilItSucceeds() {
    User alice = users.create("Alice", "password", false);
    fails = true;
    users.delete(Actor.SYSTEM, "alice");
    assertThat(users.find("alice")).isEmpty();
    assertRejected(() -> users.create("alice", "password", false));
    start();
    assertRejected(() -> users.create("ALICE", "password", false));
    users.create("bob", "password", false);
    fails = false;
    users.create("alice", "password", false);
    assertThat(moved).containsExactly(alice.id() + " Alice");
  }

  @Test
  void delete_crashBeforeMove_filesAreMovedAtTheNextStart() {
    User alice = users.create("alice", "password", false);
    crashes = true;
    assertThatThrownBy(() -> users.delete(Actor.SYSTEM, "alice"))
        .isInstanceOf(SimulatedCrash.class);
    crashes = false;
    assertThat(moved).isEmpty();
    start();
    assertThat(moved).containsExactly(alice.id() + " alice");
    users.create("alice", "password", false);
    assertThat(moved).hasSize(1);
  }

  @Test
  void import_moveFails_reportedWithItsLine() {
    users.create("alice", "password", false);
    fails = true;
    users.delete(Actor.SYSTEM, "alice");
    UserImport users = new UserImport(db, this.users);
    assertThatThrownBy(() -> users.run(Actor.SYSTEM, "name\nbob\nalice\n", false))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> {
              assertThat(e.problems()).hasSize(1);
              assertThat(e.problems().getFirst().line()).isEqualTo(3);
              assertThat(e.problems().getFirst().message().code())
                  .isEqualTo("error.user-files-left");
            });
    fails = false;
    assertThat(users.run(Actor.SYSTEM, "name\nbob\nalice\n", false)).hasSize(2);
    assertThat(moved).hasSize(1);
  }

  private static void assertRejected(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            AppException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
              assertThat(e.getMessage()).contains("failed to move the files of a deleted user");
            });
  }
}
