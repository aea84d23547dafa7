package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.token.TokenService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@EveryDatabase
class UserServiceTest {
  private static final String ADDRESS = "1.2.3.4";
  private final MutableClock clock = new MutableClock();
  private final UserService users;
  private int unfinished;

  UserServiceTest(Db db) {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    users =
        new UserService(db, tokens, new Passwords(64, 1), (handle, userId) -> unfinished, clock);
  }

  @Test
  void create_thenFound() {
    User alice = users.create("Alice", "password", true);
    assertThat(users.find("Alice")).hasValue(alice);
    assertThat(users.find("alice")).hasValue(alice);
    assertThat(users.find("bob")).isEmpty();
    assertThat(users.list()).containsExactly(alice);
  }

  @Test
  void create_nameTakenWithOtherCase() {
    users.create("Alice", "password", false);
    assertRejected(ErrorCode.NAME_TAKEN, () -> users.create("aLICE", "password", false));
  }

  @Test
  void create_idRangesAreNeverReused() {
    users.create("root", "password", true);
    int first = users.create("alice", "password", false).idRange();
    users.delete(Actor.SYSTEM, "alice");
    assertThat(users.create("alice", "password", false).idRange()).isGreaterThan(first);
  }

  @Test
  void signIn_correctAndWrongPassword() {
    User alice = users.create("alice", "password", false);
    assertThat(users.signIn("ALICE", "password", ADDRESS)).isEqualTo(alice);
    assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("alice", "passwore", ADDRESS));
    assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("nobody", "password", ADDRESS));
  }

  @Test
  void signIn_disabled_sameErrorAsWrongPassword() {
    users.create("root", "password", true);
    users.create("alice", "password", false);
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("alice", "password", ADDRESS));
  }

  @Test
  void signIn_repeatedFailures_throttled() {
    users.create("alice", "password", false);
    for (int i = 0; i < 5; i++) {
      assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("alice", "wrong", ADDRESS));
    }
    assertRejected(ErrorCode.TOO_MANY_REQUESTS, () -> users.signIn("alice", "password", ADDRESS));
    users.signIn("alice", "password", "5.6.7.8");
    clock.advance(Duration.ofSeconds(1));
    users.signIn("alice", "password", ADDRESS);
  }

  @Test
  void signIn_nameTooLong_rejectedAndNotRemembered() {
    users.setDirectory(
        (name, password, address) -> {
          throw new AssertionError("the directory is not asked");
        });
    String name = "a".repeat(UserNameRules.MAX_LENGTH + 1);
    for (int i = 0; i < 100; i++) {
      assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn(name, "wrong", ADDRESS));
    }
  }

  @Test
  void signIn_directoryDown_notCountedAsFailure() {
    User alice = users.create("alice", "password", false);
    users.setDirectory(
        (name, password, address) -> {
          throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.ldap-unreachable"));
        });
    for (int i = 0; i < 100; i++) {
      assertRejected(ErrorCode.UNAVAILABLE, () -> users.signIn("lena", "password", ADDRESS));
    }
    assertThat(users.signIn("alice", "password", ADDRESS)).isEqualTo(alice);
    users.setDirectory((name, password, address) -> Optional.of(alice));
    assertThat(users.signIn("lena", "password", ADDRESS)).isEqualTo(alice);
  }

  @Test
  void signIn_concurrentClassWithSlowDirectory_admitted() throws Exception {
    User alice = users.create("alice", "password", false);
    CountDownLatch directoryQueried = new CountDownLatch(80);
    users.setDirectory(
        (name, password, address) -> {
          directoryQueried.countDown();
          awaitAll(directoryQueried);
          return Optional.of(alice);
        });
    List<Future<User>> signIns = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 80; i++) {
        String name = "student" + i;
        signIns.add(threads.submit(() -> users.signIn(name, "password", ADDRESS)));
      }
    }
    for (Future<User> signIn : signIns) {
      assertThat(signIn.get()).isEqualTo(alice);
    }
  }

  @Test
  void signIn_pendingSignUpWithNameOfDirectoryUser() {
    User alice = users.create("alice", "password", false);
    String directoryQueried = users.passwords().hash("asked-with");
    users.setPendingSignUps(
        (handle, key) ->
            Optional.of(
                new PendingSignUps.PendingUser(
                    directoryQueried, Message.of("error.sign-up-waits"))));
    users.setDirectory(
        (name, password, address) ->
            Optional.of(alice).filter(known -> password.equals("directory-password")));
    assertThat(users.signIn("lena", "directory-password", ADDRESS)).isEqualTo(alice);
    assertRejected(ErrorCode.FORBIDDEN, () -> users.signIn("lena", "asked-with", ADDRESS));
    for (int i = 0; i < 5; i++) {
      assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("lena", "wrong", ADDRESS));
      clock.advance(Duration.ofMillis(1));
    }
    assertRejected(ErrorCode.TOO_MANY_REQUESTS, () -> users.signIn("lena", "wrong", ADDRESS));
    clock.advance(Duration.ofSeconds(1));
    // A pending sign-up must not allow additional guesses.
    assertRejected(ErrorCode.FORBIDDEN, () -> users.signIn("lena", "asked-with", ADDRESS));
    assertRejected(ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("lena", "wrong", ADDRESS));
    assertRejected(ErrorCode.TOO_MANY_REQUESTS, () -> users.signIn("lena", "wrong", ADDRESS));
    // A user with a local password is not looked up in the directory.
    assertRejected(
        ErrorCode.WRONG_CREDENTIALS, () -> users.signIn("alice", "directory-password", ADDRESS));
  }

  private static void awaitAll(CountDownLatch directoryQueried) {
    try {
      assertThat(directoryQueried.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void change_lastAdministrator_isKept() {
    users.create("root", "password", true);
    users.create("alice", "password", false);
    assertRejected(
        ErrorCode.CONFLICT,
        () -> users.change(Actor.SYSTEM, "root", Optional.of(false), Optional.empty()));
    assertRejected(
        ErrorCode.CONFLICT,
        () -> users.change(Actor.SYSTEM, "root", Optional.empty(), Optional.of(true)));
    assertRejected(ErrorCode.CONFLICT, () -> users.delete(Actor.SYSTEM, "root"));
    users.change(Actor.SYSTEM, "alice", Optional.of(true), Optional.empty());
    users.delete(Actor.SYSTEM, "root");
    assertThat(users.oldestAdministrator().orElseThrow().name()).isEqualTo("alice");
  }

  @Test
  void change_twoAdministratorsDemotedConcurrently_oneRemains() throws Exception {
    users.create("one", "password", true);
    users.create("two", "password", true);
    List<Future<User>> changes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : List.of("one", "two")) {
        changes.add(
            threads.submit(
                () -> users.change(Actor.SYSTEM, name, Optional.of(false), Optional.empty())));
      }
    }
    assertThat(changes.stream().filter(change -> change.state() == Future.State.SUCCESS))
        .hasSize(1);
    assertThat(users.oldestAdministrator()).isPresent();
  }

  @Test
  void delete_onlyWithoutUnfinishedJobs() {
    users.create("root", "password", true);
    users.create("alice", "password", false);
    unfinished = 2;
    assertRejected(ErrorCode.CONFLICT, () -> users.delete(Actor.SYSTEM, "alice"));
    unfinished = 0;
    users.delete(Actor.SYSTEM, "alice");
    assertRejected(ErrorCode.NOT_FOUND, () -> users.delete(Actor.SYSTEM, "alice"));
  }

  private static void assertRejected(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
