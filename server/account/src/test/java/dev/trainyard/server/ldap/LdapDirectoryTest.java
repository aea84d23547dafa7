package dev.trainyard.server.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.ResultCode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Directory;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LdapDirectoryTest {
  private static final String PATTERN = "uid={user},ou=people," + TestDirectory.BASE;

  @TempDir private Path directory;
  private final MutableClock clock = new MutableClock();
  private final Db db = TestDatabase.SQLITE.create();
  private final TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
  private final UserService users =
      new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  private final TeamService teams =
      new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
  private TestDirectory ldap;

  @BeforeEach
  void start() throws Exception {
    ldap = new TestDirectory();
    ldap.person("alice", "mail: alice@example.org", "memberOf: cn=lab,ou=groups,dc=example,dc=org");
    users.create("root", "root-password", true);
    useDirectory(Map.of("ldap-user-dn", PATTERN));
  }

  @AfterEach
  void stop() {
    ldap.close();
    db.close();
  }

  private Optional<Directory> read(Map<String, String> extraSettings) {
    Map<String, String> settings = new HashMap<>();
    settings.put("data", directory.toString());
    settings.put("ldap-url", ldap.url());
    settings.putAll(extraSettings);
    return LdapDirectory.of(SettingsReader.read(settings, Map.of()), db, users, teams, clock);
  }

  private void useDirectory(Map<String, String> extraSettings) {
    users.setDirectory(read(extraSettings).orElseThrow());
  }

  private void useSearch(String... extraSettings) throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "searcher-password\n");
    Map<String, String> settings = new HashMap<>();
    settings.put("ldap-search-base", TestDirectory.BASE);
    settings.put("ldap-bind-dn", TestDirectory.SEARCHER);
    settings.put("ldap-bind-password-file", password.toString());
    for (int i = 0; i < extraSettings.length; i += 2) {
      settings.put(extraSettings[i], extraSettings[i + 1]);
    }
    useDirectory(settings);
  }

  private User signIn(String name, String password) {
    return users.signIn(name, password, "10.0.0.1");
  }

  private void assertRejected(String name, String password, ErrorCode code) {
    assertThatThrownBy(() -> signIn(name, password))
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.code()).isEqualTo(code));
    clock.advance(Duration.ofHours(2));
  }

  @Test
  void signIn_newUserTwice_createsOneUser() throws Exception {
    User alice = signIn("alice", "alice-password");
    assertThat(alice.name()).isEqualTo("alice");
    assertThat(signIn("ALICE", "alice-password")).isEqualTo(alice);
    assertThat(users.identities(alice).getFirst().issuer()).isEqualTo("ldap");
    assertRejected("alice", "wrong", ErrorCode.WRONG_CREDENTIALS);
    ldap.modify("alice", "replace: userPassword", "userPassword: other-password");
    assertRejected("alice", "alice-password", ErrorCode.WRONG_CREDENTIALS);
    assertThat(signIn("alice", "other-password")).isEqualTo(alice);
    ldap.server.delete(TestDirectory.dn("alice"));
    assertRejected("alice", "other-password", ErrorCode.WRONG_CREDENTIALS);
  }

  /** The test directory itself accepts an empty password. */
  @Test
  void signIn_emptyPassword_rejected() throws Exception {
    assertThat(ldap.server.bind("", "").getResultCode().intValue()).isZero();
    assertRejected("alice", "", ErrorCode.WRONG_CREDENTIALS);
    useSearch();
    assertRejected("alice", "", ErrorCode.WRONG_CREDENTIALS);
    assertThat(users.find("alice")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "al*", "alice)(uid=*", "alice,ou=people", "alice ", "ａlice", "", "nobody"})
  void signIn_invalidNames_rejected(String name) throws Exception {
    assertRejected(name, "alice-password", ErrorCode.WRONG_CREDENTIALS);
    useSearch();
    assertRejected(name, "alice-password", ErrorCode.WRONG_CREDENTIALS);
    assertThat(users.list()).hasSize(1);
  }

  @Test
  void signIn_userWithLocalPassword_directoryIsNotUsed() throws Exception {
    ldap.person("root");
    ldap.modify("root", "replace: userPassword", "userPassword: another-password");
    assertRejected("root", "another-password", ErrorCode.WRONG_CREDENTIALS);
    assertThat(signIn("root", "root-password").admin()).isTrue();
  }

  @Test
  void search_oneEntry_signsIn() throws Exception {
    useSearch();
    assertThat(signIn("alice", "alice-password").name()).isEqualTo("alice");
    assertRejected("alice", "wrong", ErrorCode.WRONG_CREDENTIALS);
    useSearch("ldap-search-filter", "(&(uid={user})(memberOf=cn=other,dc=example,dc=org))");
    assertRejected("alice", "alice-password", ErrorCode.WRONG_CREDENTIALS);
  }

  @Test
  void search_twoEntries_rejected() throws Exception {
    ldap.add("ou=old," + TestDirectory.BASE, "objectClass: organizationalUnit", "ou: old");
    ldap.add(
        "uid=alice,ou=old," + TestDirectory.BASE,
        "objectClass: inetOrgPerson",
        "uid: alice",
        "cn: Old",
        "userPassword: alice-password");
    useSearch();
    assertRejected("alice", "alice-password", ErrorCode.WRONG_CREDENTIALS);
  }

  @Test
  void search_accountRejected_unavailable() throws Exception {
    useSearch("ldap-bind-dn", "cn=nobody," + TestDirectory.BASE);
    assertRejected("alice", "alice-password", ErrorCode.UNAVAILABLE);
  }

  @Test
  void search_referrals_notFollowed() throws Exception {
    useSearch();
    ldap.refersToOthers = true;
    assertThat(signIn("alice", "alice-password").name()).isEqualTo("alice");
    assertRejected("alice", "wrong", ErrorCode.WRONG_CREDENTIALS);
    assertRejected("nobody", "nobody-password", ErrorCode.WRONG_CREDENTIALS);
  }

  /** Result codes of directories for locked, disabled or expired accounts. */
  @ParameterizedTest
  @ValueSource(ints = {19, 48, 49, 50, 53})
  void signIn_lockedAccount_rejected(int result) throws Exception {
    ldap.refusals.put(TestDirectory.dn("alice"), ResultCode.valueOf(result));
    assertRejected("alice", "alice-password", ErrorCode.WRONG_CREDENTIALS);
    useSearch();
    assertRejected("alice", "alice-password", ErrorCode.WRONG_CREDENTIALS);
    ldap.refusals.put(TestDirectory.SEARCHER, ResultCode.valueOf(result));
    assertRejected("alice", "alice-password", ErrorCode.UNAVAILABLE);
  }

  /** Stronger authentication required, confidentiality required, busy, unavailable. */
  @ParameterizedTest
  @ValueSource(ints = {8, 13, 51, 52})
  void bind_directoryError_unavailable(int result) {
    ldap.refusals.put(TestDirectory.dn("alice"), ResultCode.valueOf(result));
    assertRejected("alice", "alice-password", ErrorCode.UNAVAILABLE);
  }

  @Test
  void groups_addedAndRemoved() throws Exception {
    Group lab = Group.named("lab").withExternalName("CN=Lab, OU=groups, DC=example, DC=org");
    teams.createGroup(Actor.SYSTEM, lab.withAdmin(true));
    User alice = signIn("alice", "alice-password");
    assertThat(alice.admin()).isTrue();
    ldap.modify("alice", "delete: memberOf");
    assertThat(signIn("alice", "alice-password").admin()).isFalse();
    assertThat(teams.groupsOf(alice.id())).containsExactly("default");
  }

  @Test
  void signIn_renamedEntry_sameUser() throws Exception {
    User alice = signIn("alice", "alice-password");
    ldap.server.modifyDN(TestDirectory.dn("alice"), "uid=alicia", true);
    assertThat(signIn("alicia", "alice-password")).isEqualTo(alice);
  }

  @Test
  void signIn_nameOfAnotherUser_rejected() throws Exception {
    signIn("alice", "alice-password");
    ldap.server.delete(TestDirectory.dn("alice"));
    ldap.person("alice");
    assertRejected("alice", "alice-password", ErrorCode.FORBIDDEN);
  }

  @Test
  void signIn_disabledOrNotProvisioned_rejected() throws Exception {
    signIn("alice", "alice-password");
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertRejected("alice", "alice-password", ErrorCode.FORBIDDEN);
    assertRejected("alice", "wrong", ErrorCode.WRONG_CREDENTIALS);
    ldap.person("bob");
    useDirectory(Map.of("ldap-user-dn", PATTERN, "ldap-create-users", "false"));
    assertRejected("bob", "bob-password", ErrorCode.FORBIDDEN);
    assertThat(users.find("bob")).isEmpty();
  }

  @Test
  void requirePassword_directoryPassword_rejected() {
    User alice = signIn("alice", "alice-password");
    assertThatThrownBy(() -> users.requirePassword(alice, "alice-password", "10.0.0.1"))
        .isInstanceOf(AppException.class);
  }

  @Test
  void guessing_isThrottled() {
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> signIn("alice", "wrong")).hasMessageContaining("");
    }
    assertThatThrownBy(() -> signIn("alice", "alice-password"))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
  }

  @Test
  void signIn_directoryDown_localUsersUnaffected() {
    ldap.close();
    assertRejected("alice", "alice-password", ErrorCode.UNAVAILABLE);
    assertThat(signIn("root", "root-password").name()).isEqualTo("root");
  }

  @Test
  void settings_incomplete_rejected() {
    for (Map<String, String> half :
        List.of(
            Map.<String, String>of(),
            Map.of("ldap-user-dn", "uid=alice,dc=org"),
            Map.of("ldap-user-dn", PATTERN, "ldap-search-base", "dc=org"),
            Map.of("ldap-search-base", "dc=org", "ldap-search-filter", "(uid=*)"),
            Map.of("ldap-search-base", "dc=org", "ldap-bind-dn", "cn=a"))) {
      assertThatThrownBy(() -> read(half)).isInstanceOf(AppException.class);
    }
    assertThat(read(Map.of("ldap-url", ""))).isEmpty();
  }

  @Test
  void needsStartTls_remoteHosts() {
    for (String host : List.of("127.0.0.1", "localhost", "[::1]", "127.8.9.1:389")) {
      assertThat(config("ldap://" + host).startTls()).as(host).isFalse();
    }
    for (String host : List.of("ldap.example.org", "10.0.0.1", "127.0.0.1.example.org")) {
      assertThat(config("ldap://" + host).startTls()).as(host).isTrue();
    }
    assertThat(config("ldaps://ldap.example.org").startTls()).isFalse();
  }

  private LdapConfig config(String url) {
    Map<String, String> settings =
        Map.of("data", directory.toString(), "ldap-url", url, "ldap-user-dn", PATTERN);
    return LdapConfig.of(SettingsReader.read(settings, Map.of())).orElseThrow();
  }
}
