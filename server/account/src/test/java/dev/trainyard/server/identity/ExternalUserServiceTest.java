package dev.trainyard.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualCluster;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@EveryDatabase
class ExternalUserServiceTest {
  private final MutableClock clock = new MutableClock();
  private final TokenService tokens;
  private final UserService users;
  private final TeamService teams;
  private final Db db;
  private final ExternalUserService externalUserService;
  private final IdentityLinkService identityLinkService;

  ExternalUserServiceTest(Db db) {
    this.db = db;
    tokens = new TokenService(db, clock, Duration.ofDays(7));
    users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    teams = new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
    externalUserService = createService(ProvisioningPolicy.WELCOME);
    identityLinkService = new IdentityLinkService(db, teams, tokens, clock);
    users.create("root", "password", true);
  }

  private ExternalUserService createService(ProvisioningPolicy rule) {
    return new ExternalUserService("test", rule, "name", db, users, teams, clock);
  }

  /** Returns the audit records about alice with the given action. */
  private List<String> audit(String action) {
    return db.read(
        handle ->
            handle
                .createQuery(
                    "select after_values from audit where action = :action"
                        + " and target = 'user:alice' order by id")
                .bind("action", action)
                .mapTo(String.class)
                .list());
  }

  private static ExternalUser person(String subject, String name, String... groups) {
    return new ExternalUser(
        new Identity("https://i", subject), name, "", "", Set.of(groups), false);
  }

  private User signIn(ExternalUser externalUser) {
    return externalUserService.signIn(externalUser, externalUser.groups()::contains, "10.0.0.1");
  }

  @Test
  void signIn_linkAndUnlink() {
    teams.createGroup(Actor.SYSTEM, Group.named("lab").withExternalName("lab"));
    User alice = signIn(person("s", "alice", "lab"));
    assertThat(signIn(person("s", "other", "lab"))).isEqualTo(alice);
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab");
    Identity second = new Identity("ldap", "s");
    identityLinkService.link(Actor.SYSTEM, alice, second);
    identityLinkService.link(Actor.SYSTEM, alice, second);
    assertThat(users.identities(alice)).hasSize(2);
    identityLinkService.unlink(Actor.SYSTEM, alice, Optional.empty(), Optional.empty());
    assertThat(users.identities(alice)).isEmpty();
    assertThat(teams.groupsOf(alice.id())).containsExactly("default");
    assertThatThrownBy(() -> signIn(person("s", "alice"))).isInstanceOf(AppException.class);
  }

  @Test
  void membership_alsoGrantedLocally_kept() {
    teams.createGroup(Actor.SYSTEM, Group.named("lab").withExternalName("lab"));
    teams.createGroup(Actor.SYSTEM, Group.named("office").withExternalName("office"));
    User alice = signIn(person("s", "alice", "lab", "office"));
    teams.addMember(Actor.SYSTEM, "lab", "alice");
    signIn(person("s", "alice"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab");
    signIn(person("s", "alice", "lab"));
    signIn(person("s", "alice"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab");
  }

  @Test
  void administrator_alsoGrantedLocally_kept() {
    String external = "admins";
    teams.changeGroup(
        Actor.SYSTEM, Group.ADMINISTRATORS, group -> group.withExternalName(external));
    assertThat(signIn(person("s", "alice", external)).admin()).isTrue();
    assertThat(signIn(person("t", "bob", external)).admin()).isTrue();
    users.change(Actor.SYSTEM, "alice", Optional.of(true), Optional.empty());
    assertThat(signIn(person("s", "alice")).admin()).isTrue();
    assertThat(signIn(person("t", "bob")).admin()).isFalse();
  }

  /** Clients send back the whole list to change one element. */
  @Test
  void setGroups_externalMembership_staysExternal() {
    teams.createGroup(Actor.SYSTEM, Group.named("lab").withExternalName("lab"));
    teams.createGroup(Actor.SYSTEM, Group.named("office"));
    User alice = signIn(person("s", "alice", "lab"));
    teams.setGroups(Actor.SYSTEM, "alice", List.of("default", "lab", "office"));
    signIn(person("s", "alice"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "office");
  }

  @Test
  void twoIssuers_eachRevokesOnlyItsOwn() {
    teams.createGroup(Actor.SYSTEM, Group.named("lab").withExternalName("lab"));
    teams.createGroup(Actor.SYSTEM, Group.named("office").withExternalName("office"));
    User alice = signIn(person("s", "alice", "lab"));
    Identity other = new Identity("ldap", "s");
    identityLinkService.link(Actor.SYSTEM, alice, other);
    signIn(new ExternalUser(other, "alice", "", "", Set.of("office"), false));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab", "office");
    signIn(person("s", "alice"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "office");
    signIn(person("s", "alice", "lab"));
    identityLinkService.link(Actor.SYSTEM, alice, new Identity("ldap", "second"));
    identityLinkService.unlink(Actor.SYSTEM, alice, Optional.empty(), Optional.of("second"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab", "office");
    identityLinkService.link(Actor.SYSTEM, alice, new Identity("https://i", "second"));
    identityLinkService.unlink(Actor.SYSTEM, alice, Optional.empty(), Optional.of("s"));
    assertThat(teams.groupsOf(alice.id())).containsExactly("default", "lab");
  }

  @Test
  void unlink_sameSubjectOfTwoIssuers() {
    User alice = signIn(person("7", "alice"));
    Identity other = new Identity("ldap", "7");
    Optional<String> subject = Optional.of("7");
    identityLinkService.link(Actor.SYSTEM, alice, other);
    assertThatThrownBy(
            () -> identityLinkService.unlink(Actor.SYSTEM, alice, Optional.of("x"), subject))
        .isInstanceOf(AppException.class);
    assertThat(users.identities(alice)).hasSize(2);
    identityLinkService.unlink(Actor.SYSTEM, alice, Optional.of("https://i"), subject);
    assertThat(users.identities(alice)).containsExactly(other);
    assertThatThrownBy(
            () ->
                identityLinkService.unlink(
                    Actor.SYSTEM, alice, Optional.of("https://i"), Optional.empty()))
        .isInstanceOf(AppException.class);
    identityLinkService.unlink(Actor.SYSTEM, alice, Optional.of("ldap"), Optional.empty());
    assertThat(users.identities(alice)).isEmpty();
  }

  @Test
  void signIn_awaitingApproval_messageAndAuditRecord() {
    ExternalUserService careful = createService(ProvisioningPolicy.APPROVED);
    ExternalUser alice = person("s", "alice");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> careful.signIn(alice, _ -> false, "10.0.0.1"))
          .isInstanceOfSatisfying(
              AppException.class, e -> assertThat(e.text().code()).isEqualTo("error.oidc-waiting"));
    }
    assertThat(audit("user.create")).singleElement().asString().contains("\"disabled\":true");
    assertThat(users.load("alice").disabled()).isTrue();
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(false));
    assertThat(careful.signIn(alice, _ -> false, "10.0.0.1").disabled()).isFalse();
  }

  @Test
  void signIn_awaitingApproval_alreadyHasTheGroups() {
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED));
    teams.createGroup(
        Actor.SYSTEM,
        Group.named("lab").withExternalName("lab").withVirtualClusters(List.of("lab")));
    ExternalUserService careful = createService(ProvisioningPolicy.APPROVED);
    ExternalUser alice = person("s", "alice", "lab");
    assertThatThrownBy(() -> careful.signIn(alice, alice.groups()::contains, "10.0.0.1"))
        .isInstanceOf(AppException.class);
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(false));
    User admitted = careful.signIn(alice, alice.groups()::contains, "10.0.0.1");
    assertThat(teams.groupsOf(admitted.id())).containsExactly("lab");
  }

  @Test
  void signIn_disabledUserRepeatedly_fiveAuditRecordsPerMinute() {
    signIn(person("s", "alice"));
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> signIn(person("s", "alice"))).isInstanceOf(AppException.class);
    }
    assertThat(audit("session.refuse")).hasSize(5);
    clock.advance(Duration.ofMinutes(1));
    assertThatThrownBy(() -> signIn(person("s", "alice"))).isInstanceOf(AppException.class);
    assertThat(audit("session.refuse"))
        .hasSize(6)
        .last()
        .asString()
        .contains("\"disabled\":true", "\"unrecordedBefore\":15");
  }

  @Test
  void signIn_concurrent_createsOneUser() throws Exception {
    List<Callable<String>> tries =
        IntStream.range(0, 16)
            .<Callable<String>>mapToObj(_ -> () -> signIn(person("s", "alice")).id())
            .toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Set<String> ids = new java.util.HashSet<>();
      for (Future<String> done : threads.invokeAll(tries)) {
        ids.add(done.get());
      }
      assertThat(ids).hasSize(1);
    }
    assertThat(users.list()).hasSize(2);
  }
}
