package dev.trainyard.server.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.Quotas;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TeamServiceTest {
  private static final Actor ROOT = new Actor("u0", "root", "t0", "127.0.0.1");

  private final MutableClock clock = new MutableClock();
  private final Db db;
  private final TokenService tokens;
  private final UserService users;
  private final TeamService teams;
  private int quotaChanges;

  TeamServiceTest(Db db) {
    this.db = db;
    tokens = new TokenService(db, clock, Duration.ofDays(7));
    users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    Limits defaults = Limits.NONE.with(Limit.CPUS, 8);
    teams = new TeamService(db, new Audit(clock), defaults, tokens::forgetUser);
    teams.onQuotaChange(() -> quotaChanges++);
  }

  private static void assertRejected(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            AppException.class, refusal -> assertThat(refusal.text().code()).isEqualTo(message));
  }

  private void changeUser(String name, Optional<Boolean> admin, Optional<Boolean> disabled) {
    users.change(ROOT, name, admin, disabled);
  }

  private boolean isAdmin(String secret) {
    return tokens.callerOf(secret).orElseThrow().admin();
  }

  private void cluster(String name, Quota quota) {
    teams.createVirtualCluster(ROOT, new VirtualCluster(name, "", quota));
  }

  @Test
  void builtIns_existAndCannotBeDeleted() {
    User root = users.create("root", "password", true);
    User alice = users.create("alice", "password", false);
    assertThat(teams.groups()).extracting(Group::name).containsExactly("admingroup", "default");
    assertThat(teams.groupsOf(root.id())).containsExactly("admingroup", "default");
    assertThat(teams.groupsOf(alice.id())).containsExactly("default");
    assertThat(teams.virtualClustersOf(alice.id())).containsExactly("default");
    String code = "error.group-built-in";
    assertRejected(code, () -> teams.deleteGroup(ROOT, "default"));
    assertRejected(code, () -> teams.changeGroup(ROOT, "default", group -> group.withAdmin(true)));
    assertRejected(
        code, () -> teams.changeGroup(ROOT, "admingroup", group -> group.withAdmin(false)));
    assertRejected("error.vc-built-in", () -> teams.deleteVirtualCluster(ROOT, "default"));
  }

  @Test
  void createGroup_namesAndGrants() {
    Group lab = Group.named("Lab").withDescription("读书会").withStorages(List.of("data", "data"));
    assertThat(teams.createGroup(ROOT, lab)).isEqualTo(lab.withStorages(List.of("data")));
    assertThat(teams.group("lab")).isPresent();
    assertRejected("error.group-taken", () -> teams.createGroup(ROOT, Group.named("LAB")));
    for (String bad : List.of("", ".", "..", "a b", "-x", "a/b", "a~b", "名", "x".repeat(256))) {
      assertRejected("error.group-name", () -> teams.createGroup(ROOT, Group.named(bad)));
    }
    Group unknown = Group.named("x").withVirtualClusters(List.of("nowhere"));
    assertRejected("error.no-vc", () -> teams.createGroup(ROOT, unknown));
    assertThat(teams.group("x")).isEmpty();
  }

  @Test
  void rights_areUnionOfAllGroups() {
    User alice = users.create("alice", "password", false);
    cluster("Vision", Quota.UNLIMITED);
    teams.createGroup(
        ROOT,
        Group.named("lab").withVirtualClusters(List.of("vision")).withStorages(List.of("nas")));
    assertThat(teams.mayUse(alice.id(), false, "Vision")).isFalse();
    assertThat(teams.mayUse(alice.id(), true, "Vision")).isTrue();
    assertThat(teams.mayUse(alice.id(), true, "nowhere")).isFalse();
    teams.addMember(ROOT, "LAB", "ALICE");
    teams.addMember(ROOT, "lab", "alice");
    assertThat(teams.members("lab")).containsExactly("alice");
    assertThat(teams.virtualClustersOf(alice.id())).containsExactlyInAnyOrder("default", "Vision");
    assertThat(teams.storagesOf(alice.id())).containsExactly("nas");
    assertThat(teams.mayUse(alice.id(), false, "Vision")).isTrue();
    teams.removeMember(ROOT, "lab", "alice");
    assertThat(teams.mayUse(alice.id(), false, "Vision")).isFalse();
    teams.addMember(ROOT, "lab", "alice");
    teams.deleteGroup(ROOT, "lab");
    assertThat(teams.virtualClustersOf(alice.id())).containsExactly("default");
    assertRejected("error.no-group", () -> teams.addMember(ROOT, "lab", "alice"));
    assertRejected("error.no-user", () -> teams.addMember(ROOT, "default", "nobody"));
  }

  @Test
  void administrators_byGroup_takeEffectImmediately() {
    users.create("root", "password", true);
    User alice = users.create("alice", "password", false);
    String session = tokens.issueSession(alice.id(), "alice", "127.0.0.1").secret();
    assertThat(isAdmin(session)).isFalse();
    teams.createGroup(ROOT, Group.named("ops").withAdmin(true));
    teams.addMember(ROOT, "ops", "alice");
    assertThat(isAdmin(session)).isTrue();
    assertThat(users.load("alice").admin()).isTrue();
    assertRejected(
        "error.admin-by-group", () -> changeUser("alice", Optional.of(false), Optional.empty()));
    changeUser("alice", Optional.empty(), Optional.of(false));
    teams.changeGroup(ROOT, "ops", group -> group.withAdmin(false));
    assertThat(isAdmin(session)).isFalse();
    teams.changeGroup(ROOT, "ops", group -> group.withAdmin(true));
    assertThat(isAdmin(session)).isTrue();
    teams.deleteGroup(ROOT, "ops");
    assertThat(isAdmin(session)).isFalse();
    teams.setGroups(ROOT, "alice", List.of("admingroup"));
    assertThat(isAdmin(session)).isTrue();
    teams.removeMember(ROOT, "admingroup", "alice");
    assertThat(isAdmin(session)).isFalse();
  }

  @Test
  void administratorFlag_equalsMembershipInBuiltInGroup() {
    users.create("root", "password", true);
    User alice = users.create("alice", "password", false);
    changeUser("alice", Optional.of(true), Optional.empty());
    assertThat(teams.groupsOf(alice.id())).contains("admingroup");
    changeUser("alice", Optional.of(false), Optional.empty());
    assertThat(teams.groupsOf(alice.id())).containsExactly("default");
    teams.addMember(ROOT, "admingroup", "alice");
    assertThat(users.load("alice").admin()).isTrue();
  }

  @Test
  void lastAdministrator_cannotBeRemoved() {
    users.create("root", "password", true);
    users.create("alice", "password", false);
    String code = "error.last-admin-group";
    assertRejected(code, () -> teams.removeMember(ROOT, "admingroup", "root"));
    assertRejected(code, () -> teams.setGroups(ROOT, "root", List.of("default")));
    teams.createGroup(ROOT, Group.named("ops").withAdmin(true));
    teams.addMember(ROOT, "ops", "alice");
    changeUser("root", Optional.of(false), Optional.empty());
    assertRejected(code, () -> teams.removeMember(ROOT, "ops", "alice"));
    assertRejected(code, () -> teams.deleteGroup(ROOT, "ops"));
    assertRejected(code, () -> teams.changeGroup(ROOT, "ops", group -> group.withAdmin(false)));
    assertRejected("error.last-admin", () -> users.delete(ROOT, "alice"));
    assertRejected(
        "error.last-admin", () -> changeUser("alice", Optional.empty(), Optional.of(true)));
    assertThat(users.load("alice").admin()).isTrue();
  }

  @Test
  void deleteVirtualCluster_withUnfinishedJobs() {
    users.create("alice", "password", false);
    cluster("lab", Quota.UNLIMITED);
    teams.createGroup(ROOT, Group.named("lab").withVirtualClusters(List.of("lab")));
    job("a", "WAITING", "lab");
    job("b", "PAUSED", "lab");
    job("c", "FAILED", "lab");
    job("d", "RUNNING", "default");
    assertThatThrownBy(() -> teams.deleteVirtualCluster(ROOT, "lab"))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
              assertThat(refusal.text().params()).containsEntry("count", 2);
            });
    db.write(handle -> handle.execute("update job set state = 'STOPPED' where name in ('a', 'b')"));
    teams.deleteVirtualCluster(ROOT, "lab");
    assertThat(teams.loadGroup("lab").virtualClusters()).isEmpty();
  }

  private void job(String name, String state, String cluster) {
    db.write(
        handle ->
            handle.execute(
                "insert into job (id, version, user_id, user_name, name, state, format, image,"
                    + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted)"
                    + " values (?, 1, 'u1', 'alice', ?, ?, 'OPENPAI_V1', 'x', ?, 1, 1, 0, 1, 0, 0)",
                name,
                name,
                state,
                cluster));
  }

  @Test
  void limits_userThenGroupsThenDefaults() {
    User alice = users.create("alice", "password", false);
    users.create("bob", "password", false);
    UserLimits limits = teams.limits();
    assertThat(limits.of(alice.id())).isEqualTo(Limits.NONE.with(Limit.CPUS, 8));
    teams.createGroup(ROOT, Group.named("few").withLimits(Limits.NONE.with(Limit.CPUS, 2)));
    Limits higherLimits = Limits.NONE.with(Limit.CPUS, 4).with(Limit.DEVICES, 1);
    teams.createGroup(ROOT, Group.named("more").withLimits(higherLimits));
    teams.addMember(ROOT, "few", "alice");
    teams.addMember(ROOT, "more", "alice");
    assertThat(limits.of(alice.id())).isEqualTo(higherLimits);
    int before = quotaChanges;
    limits.change(ROOT, "alice", own -> own.with(Limit.DEVICES, Limits.UNLIMITED));
    assertThat(quotaChanges).isGreaterThan(before);
    cluster("lab", Quota.UNLIMITED.withDevices("a100", 2));
    assertThat(limits.quotas())
        .isEqualTo(
            new Quotas(
                Map.of("lab", Quota.UNLIMITED.withDevices("a100", 2)),
                Quota.UNLIMITED.withCpus(8),
                Map.of("alice", Quota.UNLIMITED.withCpus(4))));
    limits.change(ROOT, "alice", own -> Limits.NONE);
    assertThat(limits.ownLimits("alice")).isEqualTo(Limits.NONE);
    users.create("root", "password", true);
    users.delete(ROOT, "alice");
    assertThat(limits.quotas().users()).isEmpty();
  }

  @Test
  void changes_areAudited() {
    users.create("alice", "password", false);
    teams.createGroup(ROOT, Group.named("lab"));
    teams.addMember(ROOT, "lab", "alice");
    teams.addMember(ROOT, "lab", "alice");
    cluster("v", Quota.UNLIMITED);
    teams.changeVirtualCluster(
        ROOT, "v", old -> new VirtualCluster("v", "x", Quota.UNLIMITED.withCpus(1)));
    teams.deleteVirtualCluster(ROOT, "v");
    teams.deleteGroup(ROOT, "lab");
    List<String> actions =
        db.read(
            handle ->
                handle
                    .createQuery("select action from audit where user_name = 'root' order by id")
                    .mapTo(String.class)
                    .list());
    assertThat(actions)
        .containsExactly(
            "group.create",
            "group.add-member",
            "vc.create",
            "vc.change",
            "vc.delete",
            "group.delete");
  }
}
