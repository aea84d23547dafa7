package dev.trainyard.server.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TokenServiceTest {
  private static final Duration LIFETIME = Duration.ofDays(7);

  private final Db db;
  private final MutableClock clock = new MutableClock();
  private final TokenService tokenService;
  private final UserService users;
  private User alice;

  TokenServiceTest(Db db) {
    this.db = db;
    this.tokenService = new TokenService(db, clock, LIFETIME);
    this.users = new UserService(db, tokenService, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  }

  @BeforeEach
  void createAlice() {
    users.create("root", "password", true);
    alice = users.create("alice", "password", false);
  }

  @Test
  void callerOf_known() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokenService.callerOf(token))
        .hasValueSatisfying(
            caller -> {
              assertThat(caller.userId()).isEqualTo(alice.id());
              assertThat(caller.userName()).isEqualTo("alice");
              assertThat(caller.admin()).isFalse();
            });
    assertThat(tokenService.callerOf(token + "x")).isEmpty();
    assertThat(tokenService.callerOf("")).isEmpty();
    assertThat(tokenService.callerOf("x".repeat(10_000))).isEmpty();
  }

  @Test
  void issue_keepsOnlyTheHash() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    List<String> stored =
        db.read(handle -> handle.createQuery("select hash from token").mapTo(String.class).list());
    assertThat(stored).singleElement().asString().hasSize(64).isNotEqualTo(token);
    assertThat(tokenService.callerOf(stored.getFirst())).isEmpty();
  }

  @Test
  void callerOf_expires() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    clock.advance(LIFETIME.plusSeconds(1));
    assertThat(tokenService.callerOf(token)).isEmpty();
  }

  @Test
  void callerOf_useProlongsASession() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    for (int day = 0; day < 20; day++) {
      clock.advance(Duration.ofDays(1));
      assertThat(tokenService.callerOf(token)).isPresent();
    }
  }

  @Test
  void callerOf_useIsNotedOnceAMinute() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    long issued = lastUsed();
    clock.advance(Duration.ofSeconds(59));
    tokenService.callerOf(token);
    assertThat(lastUsed()).isEqualTo(issued);
    clock.advance(Duration.ofSeconds(2));
    tokenService.callerOf(token);
    assertThat(lastUsed()).isEqualTo(issued + 61_000);
  }

  @Test
  void revoke_worksAtOnce() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    String other = tokenService.issueSession(alice.id(), "alice", "").secret();
    tokenService.endSession(Actor.of(tokenService.callerOf(token).orElseThrow()));
    assertThat(tokenService.callerOf(token)).isEmpty();
    assertThat(tokenService.callerOf(other)).isPresent();
  }

  @Test
  void callerOf_revokedByAnotherServerIsNoticedSoon() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokenService.callerOf(token)).isPresent();
    TokenService otherServer = new TokenService(db, clock, LIFETIME);
    otherServer.endSession(Actor.of(otherServer.callerOf(token).orElseThrow()));
    clock.advance(Duration.ofSeconds(30));
    assertThat(tokenService.callerOf(token)).isEmpty();
  }

  @Test
  void disable_revokesAtOnceAndForGood() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokenService.callerOf(token)).isPresent();
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertThat(tokenService.callerOf(token)).isEmpty();
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(false));
    assertThat(tokenService.callerOf(token)).isEmpty();
  }

  @Test
  void promote_isSeenAtOnce() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokenService.callerOf(token).orElseThrow().admin()).isFalse();
    users.change(Actor.SYSTEM, "alice", Optional.of(true), Optional.empty());
    assertThat(tokenService.callerOf(token).orElseThrow().admin()).isTrue();
  }

  @Test
  void delete_revokesAtOnce() {
    String token = tokenService.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokenService.callerOf(token)).isPresent();
    users.delete(Actor.SYSTEM, "alice");
    assertThat(tokenService.callerOf(token)).isEmpty();
  }

  @Test
  void issueLocal_replacesTheOneBefore() {
    String first = tokenService.issueLocal(alice.id()).secret();
    String second = tokenService.issueLocal(alice.id()).secret();
    assertThat(tokenService.callerOf(first)).isEmpty();
    clock.advance(Duration.ofDays(1000));
    assertThat(tokenService.callerOf(second)).isPresent();
  }

  private long lastUsed() {
    return db.read(
        handle -> handle.createQuery("select last_used from token").mapTo(Long.class).one());
  }
}
