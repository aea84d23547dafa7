package dev.trainyard.server.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import dev.trainyard.server.work.Requester;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TokenServiceTest {
  private static final Duration LIFETIME = Duration.ofDays(7);

  private final Db db;
  private final TestDatabase database;
  private final MutableClock clock = new MutableClock();
  private final TokenService tokens;
  private final UserService users;
  private User alice;

  TokenServiceTest(Db db, TestDatabase database) {
    this.db = db;
    this.database = database;
    this.tokens = new TokenService(db, clock, LIFETIME);
    this.users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  }

  @BeforeEach
  void createAlice() {
    users.create("root", "password", true);
    alice = users.create("alice", "password", false);
  }

  @Test
  void callerOf_validToken() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(token))
        .hasValueSatisfying(
            caller -> {
              assertThat(caller.userId()).isEqualTo(alice.id());
              assertThat(caller.userName()).isEqualTo("alice");
              assertThat(caller.admin()).isFalse();
            });
    assertThat(tokens.callerOf(token + "x")).isEmpty();
    assertThat(tokens.callerOf("")).isEmpty();
    assertThat(tokens.callerOf("x".repeat(10_000))).isEmpty();
  }

  /** A program that signs in for each request must not end the sessions of the user's browsers. */
  @Test
  void issueSession_aboveTheMaximum_endsTheOldestOfThoseNeverUsedAgain() {
    User bob = users.create("bob", "password", false);
    String browser = tokens.issueSession(alice.id(), "alice", "").secret();
    String other = tokens.issueSession(bob.id(), "bob", "").secret();
    clock.advance(Duration.ofMinutes(5));
    assertThat(tokens.callerOf(browser)).isPresent();
    List<String> ofProgram = new ArrayList<>();
    for (int i = 0; i < TokenService.MAX_SESSIONS + 20; i++) {
      clock.advance(Duration.ofSeconds(10));
      String session = tokens.issueSession(alice.id(), "alice", "").secret();
      assertThat(tokens.callerOf(session)).isPresent();
      ofProgram.add(session);
    }
    List<Boolean> valid =
        ofProgram.stream().map(session -> tokens.callerOf(session).isPresent()).toList();
    assertThat(valid.subList(0, 21)).containsOnly(false);
    assertThat(valid.subList(21, valid.size())).hasSize(99).containsOnly(true);
    assertThat(tokens.callerOf(browser)).isPresent();
    assertThat(tokens.callerOf(other)).isPresent();
  }

  @Test
  void issueSession_aboveTheMaximumOfUsedSessions_endsTheOneUnusedLongest() {
    List<String> sessions = new ArrayList<>();
    for (int i = 0; i < TokenService.MAX_SESSIONS; i++) {
      sessions.add(tokens.issueSession(alice.id(), "alice", "").secret());
    }
    for (String session : sessions) {
      clock.advance(Duration.ofMinutes(2));
      assertThat(tokens.callerOf(session)).isPresent();
    }
    String last = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(last)).isPresent();
    assertThat(tokens.callerOf(sessions.getFirst())).isEmpty();
    assertThat(tokens.callerOf(sessions.get(1))).isPresent();
  }

  @Test
  void issue_storesOnlyTheHash() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    List<String> stored =
        db.read(handle -> handle.createQuery("select hash from token").mapTo(String.class).list());
    assertThat(stored).singleElement().asString().hasSize(64).isNotEqualTo(token);
    assertThat(tokens.callerOf(stored.getFirst())).isEmpty();
  }

  @Test
  void lastSignIn_remainsAfterTheSessionEnds() {
    assertThat(tokens.lastSignInByUser()).isEmpty();
    IssuedToken session = tokens.issueSession(alice.id(), "alice", "");
    Instant signIn = clock.instant();
    clock.advance(Duration.ofHours(3));
    assertThat(tokens.callerOf(session.secret())).isPresent();
    tokens.endSession(new Actor(alice.id(), "alice", session.info().id(), ""));
    tokens.issueLocal(alice.id());

    assertThat(tokens.lastSignInByUser()).containsExactly(Map.entry(alice.id(), signIn));
    clock.advance(Duration.ofHours(3));
    tokens.issueSession(alice.id(), "alice", "");
    assertThat(tokens.lastSignInByUser()).containsEntry(alice.id(), clock.instant());
  }

  @Test
  void callerOf_expires() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    clock.advance(LIFETIME.plusSeconds(1));
    assertThat(tokens.callerOf(token)).isEmpty();
  }

  @Test
  void callerOf_use_extendsSession() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    for (int day = 0; day < 20; day++) {
      clock.advance(Duration.ofDays(1));
      assertThat(tokens.callerOf(token)).isPresent();
    }
  }

  @Test
  void callerOf_useIsRecordedOncePerMinute() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    long issued = lastUsed();
    clock.advance(Duration.ofSeconds(59));
    tokens.callerOf(token);
    assertThat(lastUsed()).isEqualTo(issued);
    clock.advance(Duration.ofSeconds(2));
    tokens.callerOf(token);
    assertThat(lastUsed()).isEqualTo(issued + 61_000);
  }

  /**
   * Lets the database reject writes: PostgreSQL as on a full disk, SQLite the next one as
   * read-only.
   */
  private void rejectWrites() {
    if (database == TestDatabase.SQLITE) {
      db.write(handle -> handle.execute("pragma query_only = on"));
      return;
    }
    db.write(
        handle ->
            handle.execute(
                    "create function reject_write() returns trigger language plpgsql as"
                        + " 'begin raise sqlstate ''53100''; end'")
                + handle.execute(
                    "create trigger reject before insert or update on token"
                        + " execute function reject_write()"));
  }

  private void acceptWrites() {
    String statement =
        database == TestDatabase.SQLITE
            ? "pragma query_only = off"
            : "drop trigger reject on token";
    db.write(handle -> handle.execute(statement));
  }

  @Test
  void callerOf_databaseCannotBeWritten_keepsTheCaller() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    long issued = lastUsed();
    clock.advance(Duration.ofMinutes(2));
    rejectWrites();
    assertThat(tokens.callerOf(token)).isPresent();
    assertThat(lastUsed()).isEqualTo(issued);
    acceptWrites();
    clock.advance(Duration.ofSeconds(1));
    assertThat(tokens.callerOf(token)).isPresent();
    assertThat(lastUsed()).as("not attempted for every request").isEqualTo(issued);
    clock.advance(Duration.ofSeconds(10));
    assertThat(tokens.callerOf(token)).isPresent();
    assertThat(lastUsed()).isEqualTo(clock.millis());
  }

  @Test
  void callerOf_recordsUseUnderTheKeyOfTheUser() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    clock.advance(Duration.ofMinutes(2));
    Requester requester = new Requester(() -> "later", "address 192.0.2.1");
    requester.run(() -> tokens.callerOf(token));
    assertThat(requester.knownKey()).isEqualTo(Requester.userKey(alice.id()));
  }

  @Test
  void revoke_takesEffectImmediately() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    String other = tokens.issueSession(alice.id(), "alice", "").secret();
    tokens.endSession(Actor.of(tokens.callerOf(token).orElseThrow()));
    assertThat(tokens.callerOf(token)).isEmpty();
    assertThat(tokens.callerOf(other)).isPresent();
  }

  @Test
  void callerOf_revokedByAnotherServer_expiresFromCache() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(token)).isPresent();
    TokenService otherServer = new TokenService(db, clock, LIFETIME);
    otherServer.endSession(Actor.of(otherServer.callerOf(token).orElseThrow()));
    clock.advance(Duration.ofSeconds(30));
    assertThat(tokens.callerOf(token)).isEmpty();
  }

  @Test
  void disable_revokesImmediatelyAndPermanently() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(token)).isPresent();
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertThat(tokens.callerOf(token)).isEmpty();
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(false));
    assertThat(tokens.callerOf(token)).isEmpty();
  }

  @Test
  void promote_takesEffectImmediately() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(token).orElseThrow().admin()).isFalse();
    users.change(Actor.SYSTEM, "alice", Optional.of(true), Optional.empty());
    assertThat(tokens.callerOf(token).orElseThrow().admin()).isTrue();
  }

  @Test
  void delete_revokesImmediately() {
    String token = tokens.issueSession(alice.id(), "alice", "").secret();
    assertThat(tokens.callerOf(token)).isPresent();
    users.delete(Actor.SYSTEM, "alice");
    assertThat(tokens.callerOf(token)).isEmpty();
  }

  @Test
  void issueLocal_replacesThePrevious() {
    String first = tokens.issueLocal(alice.id()).secret();
    String second = tokens.issueLocal(alice.id()).secret();
    assertThat(tokens.callerOf(first)).isEmpty();
    clock.advance(Duration.ofDays(1000));
    assertThat(tokens.callerOf(second)).isPresent();
  }

  private long lastUsed() {
    return db.read(
        handle -> handle.createQuery("select last_used from token").mapTo(Long.class).one());
  }
}
