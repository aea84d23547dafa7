package dev.trainyard.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@EveryDatabase
class AuditTest {
  private static final Actor ROOT = new Actor("u1", "root", "t1", "10.0.0.1");

  private final MutableClock clock = new MutableClock();
  private final Db db;
  private final Audit audit = new Audit(clock);

  AuditTest(Db db) {
    this.db = db;
  }

  private void record(String action, String target) {
    db.write(
        handle -> {
          audit.record(handle, ROOT, action, target, Map.of("a", 1), Map.of("a", 2));
          return null;
        });
  }

  private List<String> actions(AuditFilter filter) {
    return db.read(handle -> AuditStore.list(handle, filter, 100)).stream()
        .map(AuditEntry::action)
        .toList();
  }

  private static AuditFilter filter(String user, String action, String target) {
    return new AuditFilter(
        user, action, target, Optional.empty(), Optional.empty(), Optional.empty());
  }

  @Test
  void record_transactionFails_rolledBack() {
    assertThatThrownBy(
            () ->
                db.write(
                    handle -> {
                      audit.record(handle, ROOT, "a.b", "x:y", Map.of(), Map.of());
                      throw new IllegalStateException("no");
                    }))
        .hasMessageContaining("no");
    assertThat(actions(AuditFilter.ALL)).isEmpty();
  }

  @Test
  void list_newestFirstByEveryFilter() {
    record("user.create", "user:alice");
    clock.advance(Duration.ofHours(1));
    record("user.delete", "user:alice");
    clock.advance(Duration.ofHours(1));
    record("username.x", "user:bob");
    assertThat(actions(AuditFilter.ALL))
        .containsExactly("username.x", "user.delete", "user.create");
    assertThat(actions(filter("", "user.*", ""))).containsExactly("user.delete", "user.create");
    assertThat(actions(filter("", "user.delete", ""))).containsExactly("user.delete");
    assertThat(actions(filter("ROOT", "", "user:bob"))).containsExactly("username.x");
    assertThat(actions(filter("alice", "", ""))).isEmpty();
    AuditFilter span =
        new AuditFilter(
            "",
            "",
            "",
            Optional.of(clock.instant().minus(Duration.ofHours(1))),
            Optional.of(clock.instant()),
            Optional.empty());
    assertThat(actions(span)).containsExactly("user.delete");
  }

  @Test
  void record_tooLong_omitted() {
    db.write(
        handle -> {
          Map<String, String> large = Map.of("text", "x".repeat(20_000));
          audit.record(handle, ROOT, "a.b", "x:" + "y".repeat(1000), Map.of(), large);
          return null;
        });
    AuditEntry entry = db.read(handle -> AuditStore.list(handle, AuditFilter.ALL, 1)).getFirst();
    assertThat(entry.after()).contains("omitted").hasSizeLessThan(100);
    assertThat(entry.target()).hasSize(600);
  }

  @Test
  void users_everyChange_recordedWithoutPasswords() {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    UserService users =
        new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    users.create("root", "root-password", true);
    User alice = users.create(ROOT, "alice", "first-password", false);
    users.change(ROOT, "alice", Optional.of(true), Optional.empty());
    users.changePassword(ROOT, alice, "second-password");
    users.delete(ROOT, "alice");
    assertThat(actions(filter("root", "", "user:alice")))
        .containsExactly("user.delete", "user.password", "user.change", "user.create");
    List<AuditEntry> all = db.read(handle -> AuditStore.list(handle, AuditFilter.ALL, 100));
    assertThat(all.toString()).doesNotContain("-password").doesNotContain("argon2");
    AuditEntry change = all.get(2);
    assertThat(change.before()).contains("\"admin\":false");
    assertThat(change.after()).contains("\"admin\":true");
    assertThat(change.actor()).isEqualTo(ROOT);
  }

  @Test
  void signIn_failures_limitedAndWithoutTypedText() {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    UserService users =
        new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    users.create("alice", "alice-password", false);
    for (int i = 0; i < 40; i++) {
      String name = i % 2 == 0 ? "alice" : "hunter2-typed-here";
      String address = "10.0.0." + i;
      assertThatThrownBy(() -> users.signIn(name, "wrong", address))
          .isInstanceOf(AppException.class);
    }
    assertThat(actions(filter("", "session.refuse", ""))).hasSize(5);
    clock.advance(Duration.ofMinutes(1));
    assertThatThrownBy(() -> users.signIn("alice", "wrong", "10.0.1.1"))
        .isInstanceOf(AppException.class);
    List<AuditEntry> all =
        db.read(handle -> AuditStore.list(handle, filter("", "session.*", ""), 100));
    assertThat(all).hasSize(6);
    assertThat(all.getFirst().after()).isEqualTo("{\"unrecordedBefore\":35}");
    assertThat(all.getFirst().target()).isEqualTo("user:alice");
    assertThat(all.toString()).doesNotContain("hunter2").contains("user:?");
  }

  @Test
  void signIn_rejectedAsTooManyAtOnce_notAFailure() {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    UserService users =
        new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    users.create("alice", "alice-password", false);
    // Each attempt begins while the previous ones are in progress, until one is rejected for that
    // reason.
    users.setDirectory((name, password, address) -> Optional.of(users.signIn(name, "x", address)));
    assertThatThrownBy(() -> users.signIn("lena", "x", "10.0.0.1"))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> assertThat(e.text().code()).isEqualTo("error.too-many-at-once"));
    assertThatThrownBy(() -> users.signIn("alice", "wrong", "10.0.0.1"))
        .isInstanceOf(AppException.class);
    List<AuditEntry> all =
        db.read(handle -> AuditStore.list(handle, filter("", "session.*", ""), 100));
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().after()).isEmpty();
  }

  @Test
  void sweep_oldRecords_deletedAndRecorded() {
    AuditPruning pruning =
        new AuditPruning(db, Optional.of(Duration.ofDays(30)), clock, () -> true);
    record("old.one", "x");
    clock.advance(Duration.ofDays(31));
    record("new.one", "x");
    clock.advance(Duration.ofSeconds(1));
    assertThat(pruning.deleteExpired()).isEqualTo(1);
    assertThat(pruning.deleteExpired()).isZero();
    assertThat(actions(AuditFilter.ALL)).containsExactly("audit.prune", "new.one");
    assertThat(new AuditPruning(db, Optional.empty(), clock, () -> true).deleteExpired()).isZero();
  }
}
