package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.TestSecrets;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class RegistryLoginsTest {
  private static final Actor ROOT = new Actor("u0", "root", "t0", "");

  private final MutableClock clock = new MutableClock();
  private final Db db;
  private final RegistryLogins logins;
  private final RegistryService registries;
  private Caller alice;
  private Caller bob;

  RegistryLoginsTest(Db db) {
    this.db = db;
    Audit audit = new Audit(clock);
    this.registries = new RegistryService(db, audit);
    this.logins = new RegistryLogins(db, new LoginSecrets(TestSecrets.create()), audit, clock);
  }

  @BeforeEach
  void createUsers() {
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    UserService users =
        new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    alice = caller(users, "alice");
    bob = caller(users, "bob");
    db.write(
        handle -> {
          handle.execute(
              "insert into team_group (name, name_key, description, external_name, admin, limits)"
                  + " values ('lab', 'lab', '', '', 0, '{}')");
          return handle.execute(
              "insert into group_member (group_name, user_id) values ('lab', ?)", bob.userId());
        });
  }

  private static Caller caller(UserService users, String name) {
    var user = users.create(ROOT, name, "a-good-password", false);
    return new Caller(user.id(), user.name(), false, "t");
  }

  private StoredLogin put(Caller caller, Optional<String> group, String password) {
    return logins.put(
        Actor.of(caller), "lab:5000", group, new RegistryLogin(caller.userName(), password));
  }

  private Optional<String> password(Caller caller, String host) {
    return logins.find(caller.userId(), host).map(RegistryLogin::password);
  }

  @Test
  void find_ownLogin_precedesThatOfGroup() {
    put(alice, Optional.of("lab"), "of the group");
    assertThat(password(bob, "lab:5000")).contains("of the group");
    assertThat(password(alice, "lab:5000")).as("not in the group").isEmpty();

    put(bob, Optional.empty(), "own");
    put(bob, Optional.empty(), "newer");

    assertThat(password(bob, "lab:5000")).contains("newer");
    assertThat(password(bob, "other:5000")).isEmpty();
  }

  @Test
  void isForbidden_registryOfGroup_isForbiddenToOthers() {
    registries.create(Actor.of(alice), new Registry("127.0.0.1:5001", true, "", List.of("lab")));
    assertThat(registries.isForbidden(bob.userId(), "127.0.0.1:5001")).isFalse();
    assertThat(registries.isForbidden(alice.userId(), "127.0.0.1:5001")).isTrue();
    assertThat(registries.isForbidden(alice.userId(), "docker.io")).isFalse();
  }

  @Test
  void put_password_neverReturned() {
    StoredLogin login = put(alice, Optional.empty(), "hush-hush");

    assertThat(login.view().toString()).doesNotContain("hush");
    assertThat(new RegistryLogin("a", "hush-hush").toString()).isEqualTo("a");
    List<String> stored =
        db.read(
            handle ->
                handle
                    .createQuery(
                        "select sealed from registry_login union all select after_values from"
                            + " audit")
                    .mapTo(String.class)
                    .list());
    assertThat(stored).noneMatch(text -> text.contains("hush"));
  }

  @Test
  void delete_otherUsersLogin_rejected() {
    StoredLogin own = put(alice, Optional.empty(), "p");
    StoredLogin group = put(alice, Optional.of("lab"), "p");

    assertThatThrownBy(() -> logins.delete(bob, Actor.of(bob), own.id()))
        .isInstanceOf(AppException.class);
    assertThatThrownBy(() -> logins.delete(bob, Actor.of(bob), group.id()))
        .isInstanceOf(AppException.class);
    assertThat(logins.list(bob)).containsExactly(group);

    logins.delete(alice, Actor.of(alice), own.id());
    assertThat(password(alice, "lab:5000")).isEmpty();
  }

  @Test
  void userDeleted_loginsDeleted() {
    put(alice, Optional.empty(), "p");
    db.write(handle -> handle.execute("delete from users where id = ?", alice.userId()));
    assertThat(password(alice, "lab:5000")).isEmpty();
  }

  @Test
  void registries_ofGroup_visibleToMembers() {
    Registry open = new Registry("a:1", false, "", List.of());
    Registry lab = new Registry("b:1", true, "", List.of("lab"));
    registries.create(ROOT, open);
    registries.create(ROOT, lab);

    assertThat(registries.list(alice)).containsExactly(open);
    assertThat(registries.list(bob)).containsExactly(open, lab);
    assertThat(registries.isPlainHttp("b:1")).isTrue();
    assertThat(registries.isPlainHttp("c:1")).isFalse();
    assertThatThrownBy(() -> registries.load(alice, "b:1")).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> registries.create(ROOT, lab)).isInstanceOf(AppException.class);
  }
}
