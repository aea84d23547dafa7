package dev.trainyard.server.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AppException;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Messages;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.RevokedAccess;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

@EveryDatabase
class TeamAdmissionTest {
  private final Db db;
  private final UserService users;
  private final TeamService teams;
  private final TeamAdmission admission;
  private final Caller alice;
  private final Caller root;

  TeamAdmissionTest(Db db) {
    this.db = db;
    MutableClock clock = new MutableClock();
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    users = new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
    teams = new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
    admission = new TeamAdmission(teams);
    root = caller(users.create("root", "password", true));
    alice = caller(users.create("alice", "password", false));
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED));
    teams.createGroup(Actor.SYSTEM, Group.named("lab").withVirtualClusters(List.of("lab")));
  }

  private static Caller caller(User user) {
    return new Caller(user.id(), user.name(), user.admin(), "t");
  }

  private static JobSpec v1(String cluster) {
    String text =
        """
        {"jobName": "a", "image": "x", %s
         "taskRoles": [{"name": "main", "taskNumber": 1, "command": "true"}]}
        """
            .formatted(cluster.isEmpty() ? "" : "\"virtualCluster\": \"" + cluster + "\",");
    return JobFiles.parse(text).spec().orElseThrow();
  }

  private static JobSpec v2(String cluster) {
    String text =
        """
        protocolVersion: 2
        name: a
        type: job
        prerequisites: [{name: i, type: dockerimage, uri: x}]
        taskRoles:
          main:
            instances: 1
            dockerImage: i
            resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
            commands: ["true"]
        defaults: {virtualCluster: %s}
        """
            .formatted(cluster);
    return JobFiles.parse(text).spec().orElseThrow();
  }

  private void check(Caller caller, JobSpec spec) {
    check(caller, spec, 0);
  }

  private void check(Caller caller, JobSpec spec, long bytes) {
    db.write(
        handle -> {
          admission.check(handle, caller, spec, bytes);
          return null;
        });
  }

  private void assertRejected(Caller caller, JobSpec spec, ErrorCode code, String words) {
    assertThatThrownBy(() -> check(caller, spec))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              assertThat(refusal.text().english()).isEqualTo(words);
              assertThat(Messages.CHINESE.text(refusal.text())).doesNotContain("{");
            });
  }

  private String virtualCluster(Caller caller, String requested) {
    return db.read(handle -> admission.virtualCluster(handle, caller, requested));
  }

  @Test
  void virtualCluster_userWithoutDefault_getsTheOnlyOne() {
    assertThat(virtualCluster(alice, "default")).isEqualTo("default");
    teams.addMember(Actor.SYSTEM, "lab", "alice");
    assertThat(virtualCluster(alice, "default")).isEqualTo("default");
    teams.removeMember(Actor.SYSTEM, "default", "alice");
    assertThat(virtualCluster(alice, "default")).isEqualTo("lab");
    assertThat(virtualCluster(alice, "other")).isEqualTo("other");
    assertThat(virtualCluster(root, "default")).isEqualTo("default");
  }

  @Test
  void virtualCluster_userWithSeveralWithoutDefault_mustChoose() {
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("class", "", Quota.UNLIMITED));
    Group groupWithBothClusters = Group.named("both").withVirtualClusters(List.of("lab", "class"));
    teams.createGroup(Actor.SYSTEM, groupWithBothClusters);
    teams.addMember(Actor.SYSTEM, "both", "alice");
    teams.removeMember(Actor.SYSTEM, "default", "alice");
    assertThat(virtualCluster(alice, "default")).isEqualTo("default");
    assertRejected(
        alice,
        v1(""),
        ErrorCode.FORBIDDEN,
        "you cannot use virtual cluster default; available to you: lab, class;"
            + " name one in the job file or with --vc NAME");
    check(alice, v1("class"));
  }

  @Test
  void check_virtualClusterOfBothFormats() {
    check(alice, v1(""));
    check(alice, v1("default"));
    check(alice, v2("default"));
    String words =
        "you cannot use virtual cluster %s; available to you: default;"
            + " name one in the job file or with --vc NAME";
    for (JobSpec spec : List.of(v1("lab"), v2("lab"))) {
      assertRejected(alice, spec, ErrorCode.FORBIDDEN, words.formatted("lab"));
      check(root, spec);
    }
    for (JobSpec spec : List.of(v1("nowhere"), v2("nowhere"))) {
      assertRejected(alice, spec, ErrorCode.FORBIDDEN, words.formatted("nowhere"));
      assertRejected(root, spec, ErrorCode.NOT_FOUND, "virtual cluster nowhere not found");
    }
    teams.addMember(Actor.SYSTEM, "lab", "alice");
    check(alice, v1("lab"));
    check(alice, v2("lab"));
    teams.setGroups(Actor.SYSTEM, "alice", List.of());
    assertRejected(
        alice,
        v1(""),
        ErrorCode.FORBIDDEN,
        "you cannot use virtual cluster default, and no other is available to you: ask an"
            + " administrator to add you to a group");
  }

  private void store(String name, Caller owner, String state, String cluster) {
    store(name, owner, state, cluster, 0);
  }

  private void store(String name, Caller owner, String state, String cluster, long bytes) {
    db.write(
        handle -> {
          handle.execute(
              "insert into job (id, version, user_id, user_name, name, state, format, image,"
                  + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt,"
                  + " submitted, file_bytes) values (?, 1, ?, ?, ?, ?, 'OPENPAI_V1', 'x', ?,"
                  + " 1, 1, 0, 1, 0, 0, ?)",
              name,
              owner.userId(),
              owner.userName(),
              name,
              state,
              cluster,
              bytes);
          admission.onStored(handle, owner, new JobId("0".repeat(26)), v1(""), bytes);
          return null;
        });
  }

  @Test
  void check_tasksOfUnfinishedJobs() {
    teams.limits().change(Actor.SYSTEM, "alice", own -> own.with(Limit.UNFINISHED_TASKS, 2));
    check(alice, v1(""));
    store("a", alice, "WAITING", "default");
    check(alice, v1(""));
    store("b", alice, "RUNNING", "default");
    assertRejected(
        alice,
        v1(""),
        ErrorCode.CONFLICT,
        "the unfinished jobs of alice can have 2 tasks in total: they have 2, and this job has 1;"
            + " wait until a job has finished, stop one, or ask an administrator for a higher"
            + " limit");
    check(root, v1(""));
    db.write(handle -> handle.execute("update job set state = 'SUCCEEDED' where id = 'b'"));
    check(alice, v1(""));
  }

  @Test
  void check_filesOfUnfinishedJobs() {
    teams.limits().change(Actor.SYSTEM, "alice", own -> own.with(Limit.UNFINISHED_FILES, 2));
    check(alice, v1(""), 2 << 20);
    assertThatThrownBy(() -> check(alice, v1(""), (2 << 20) + 1)).isInstanceOf(AppException.class);
    store("a", alice, "PAUSED", "default", 1 << 20);
    check(alice, v1(""), 1 << 20);
    assertThatThrownBy(() -> check(alice, v1(""), (1 << 20) + 1))
        .hasMessageContaining("can have 2 MiB in total");
    db.write(handle -> handle.execute("update job set state = 'STOPPED'"));
    check(alice, v1(""), 2 << 20);
  }

  @Test
  void builtIn_limitsUnfinishedJobs() {
    assertThat(Limits.of(Map.of("cpus", 4L)).orElse(Limits.BUILT_IN).of(Limit.UNFINISHED_JOBS))
        .hasValue(10_000);
    assertThat(
            Limits.of(Map.of("unfinishedJobs", -1L))
                .orElse(Limits.BUILT_IN)
                .of(Limit.UNFINISHED_JOBS))
        .isEmpty();
  }

  @Test
  void quotas_containRevokedAccess() {
    teams.addMember(Actor.SYSTEM, "lab", "alice");
    store("a", alice, "PAUSED", "lab");
    store("b", alice, "WAITING", "default");
    store("c", root, "WAITING", "lab");
    assertThat(teams.limits().quotas().revokedAccess()).isEqualTo(RevokedAccess.NONE);
    teams.setGroups(Actor.SYSTEM, "alice", List.of("default"));
    assertThat(teams.limits().quotas().revokedAccess())
        .isEqualTo(
            new RevokedAccess(Set.of(), Set.of(new RevokedAccess.UserInCluster("alice", "lab"))));
    List<String> calls = new ArrayList<>();
    users.onRightsChange(() -> calls.add("changed"));
    users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertThat(calls).hasSize(1);
    assertThat(teams.limits().quotas().revokedAccess().users()).containsExactly("alice");
    db.write(handle -> handle.execute("update job set state = 'STOPPED'"));
    assertThat(teams.limits().quotas().revokedAccess()).isEqualTo(RevokedAccess.NONE);
  }

  @Test
  void check_unfinishedJobs() {
    teams.limits().change(Actor.SYSTEM, "alice", own -> own.with(Limit.UNFINISHED_JOBS, 2));
    for (String name : List.of("a", "b", "c")) {
      check(alice, v1(""));
      String state = name.equals("a") ? "SUCCEEDED" : "WAITING";
      store(name, alice, state, "default");
    }
    assertRejected(
        alice,
        v1(""),
        ErrorCode.CONFLICT,
        "alice can have at most 2 unfinished jobs: wait until one finishes, or stop one");
    teams.limits().change(Actor.SYSTEM, "alice", own -> own.with(Limit.UNFINISHED_JOBS, 0));
    assertThatThrownBy(() -> check(alice, v1(""))).isInstanceOf(AppException.class);
    teams.limits().change(Actor.SYSTEM, "alice", own -> Limits.NONE);
    check(alice, v1(""));
  }

  private static JobSpec specWithCapabilities(String cluster, Capability... capabilities) {
    JobSpec spec = v1(cluster);
    return spec.withExtras(spec.extras().withCapabilities(List.of(capabilities)));
  }

  @Test
  void check_capabilities() {
    CapabilityService grants = teams.capabilities();
    JobSpec specWithTwoCapabilities =
        specWithCapabilities("default", Capability.SYS_ADMIN, Capability.SYS_PTRACE);
    String words =
        "neither you nor the virtual cluster default has been granted %s: an administrator can"
            + " grant it with trainyard capabilities grant";
    assertRejected(
        alice,
        specWithTwoCapabilities,
        ErrorCode.FORBIDDEN,
        words.formatted("SYS_ADMIN, SYS_PTRACE"));
    assertRejected(
        root,
        specWithTwoCapabilities,
        ErrorCode.FORBIDDEN,
        words.formatted("SYS_ADMIN, SYS_PTRACE"));

    grants.grantToUser(Actor.SYSTEM, "Alice", Capability.SYS_ADMIN);
    grants.grantToUser(Actor.SYSTEM, "alice", Capability.SYS_ADMIN);
    assertRejected(
        alice, specWithTwoCapabilities, ErrorCode.FORBIDDEN, words.formatted("SYS_PTRACE"));
    grants.grantToVirtualCluster(Actor.SYSTEM, "default", Capability.SYS_PTRACE);
    check(alice, specWithTwoCapabilities);
    assertRejected(
        root, specWithTwoCapabilities, ErrorCode.FORBIDDEN, words.formatted("SYS_ADMIN"));
    assertThat(grants.missing(root.userId(), specWithTwoCapabilities))
        .containsExactly(Capability.SYS_ADMIN);
    assertThat(grants.missing(root.userId(), specWithCapabilities("lab", Capability.SYS_PTRACE)))
        .containsExactly(Capability.SYS_PTRACE);
    assertThat(grants.list()).hasSize(2);

    grants.revokeFromUser(Actor.SYSTEM, "alice", Capability.SYS_ADMIN);
    grants.revokeFromUser(Actor.SYSTEM, "alice", Capability.SYS_ADMIN);
    assertThat(grants.missing(alice.userId(), specWithTwoCapabilities))
        .containsExactly(Capability.SYS_ADMIN);
    grants.revokeFromVirtualCluster(Actor.SYSTEM, "default", Capability.SYS_PTRACE);
    assertThat(grants.list()).isEmpty();
    List<String> audited =
        db.read(
            handle ->
                handle
                    .createQuery("select action from audit where action like 'capability.%'")
                    .mapTo(String.class)
                    .list());
    assertThat(audited)
        .containsExactlyInAnyOrder(
            "capability.grant", "capability.grant", "capability.revoke", "capability.revoke");
  }

  @Test
  void capabilities_deletedWithTheirVirtualCluster() {
    teams.capabilities().grantToVirtualCluster(Actor.SYSTEM, "lab", Capability.IPC_LOCK);
    teams.deleteVirtualCluster(Actor.SYSTEM, "lab");
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED));
    assertThat(teams.capabilities().list()).isEmpty();
  }
}
