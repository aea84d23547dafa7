package dev.trainyard.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualCluster;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UserImportTest {
  private static final String PATH = "/api/v3/users/import";

  private final AccountFixture web = new AccountFixture();

  @AfterEach
  void stop() {
    web.close();
  }

  private JsonNode run(String text) {
    return web.json(web.root, "POST", PATH, text);
  }

  @Test
  void run_generatesMissingPasswords() {
    JsonNode response =
        run(
            "\uFEFFName,Password,Email,DisplayName,Admin\r\n"
                + "bob,bobs-password,bob@example.org,\"Bob, \"\"B\"\"\",\r\n"
                + "\r\n"
                + "carol,,,,true\r\n");
    JsonNode imported = response.get("users");
    assertThat(imported).hasSize(2);
    assertThat(imported.get(0).has("password")).isFalse();
    String generated = imported.get(1).get("password").textValue();
    assertThat(web.users.signIn("carol", generated, "").admin()).isTrue();
    assertThat(web.users.signIn("bob", "bobs-password", "").admin()).isFalse();
    JsonNode bob = web.json(web.root, "GET", "/api/v3/users/bob", "");
    assertThat(bob.get("displayName").textValue()).isEqualTo("Bob, \"B\"");
    JsonNode audit = web.json(web.root, "GET", "/api/v3/audit?target=user:bob", "");
    assertThat(audit.get("records").get(0).get("user").textValue()).isEqualTo("root");
  }

  @Test
  void run_reportsAllProblemsWithLinesAndCreatesNoUser() {
    JsonNode response =
        run(
            """
            name,password,email,admin,groups
            good,,,,
            bad name,short,nobody,perhaps,
            "two
            lines",,,,
            GOOD,,,,
            x,,,,,,
            """);
    assertThat(response.get("code").textValue()).isEqualTo("BAD_REQUEST");
    List<String> problems = new ArrayList<>();
    response
        .get("problems")
        .forEach(
            problem -> problems.add(problem.get("line") + " " + problem.get("path").textValue()));
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "3 name", "3 password", "3 email", "3 admin", "4 name", "6 name", "7 ");
    assertThat(web.users.find("good")).isEmpty();
  }

  @Test
  void run_nameTakenOrGroupUnknown_createsNoUser() {
    JsonNode response = run("name;groups\nnew;\nALICE;lab\n");
    assertThat(response.get("problems").findValuesAsText("code"))
        .containsExactly("error.user-taken", "error.no-group");
    assertThat(web.users.find("new")).isEmpty();
  }

  @Test
  void run_invalidValueAndConflict_areReportedTogether() {
    JsonNode response = run("name,email,groups\nalice,,\nbob,not-an-email,\ncarol,,nowhere\n");
    assertThat(response.get("problems").findValuesAsText("code"))
        .containsExactlyInAnyOrder("error.user-taken", "error.not-an-email", "error.no-group");
  }

  @Test
  void run_dryRun_createsNoUser() {
    JsonNode response = web.json(web.root, "POST", PATH + "?dryRun=true", "name\nbob\n");
    assertThat(response.get("users")).hasSize(1);
    assertThat(response.get("users").get(0).has("password")).isFalse();
    assertThat(web.users.find("bob")).isEmpty();
  }

  @Test
  void run_assignsGroups() {
    TeamService teams = new TeamService(web.db, new Audit(web.clock), Limits.NONE, _ -> {});
    teams.createGroup(Actor.SYSTEM, Group.named("lab"));
    teams.createGroup(Actor.SYSTEM, Group.named("vision"));
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("big", "", Quota.UNLIMITED));
    assertThat(run("name,virtualClusters\nbob,small\n").get("problems").get(0).toString())
        .contains("error.no-vc");
    run("name,groups,virtualClusters\nbob,lab; Vision,default;big\n");
    String bob = web.users.load("bob").id();
    assertThat(teams.groupsOf(bob)).containsExactlyInAnyOrder("default", "lab", "vision", "big");
    assertThat(teams.virtualClustersOf(bob)).containsExactlyInAnyOrder("default", "big");
  }

  @Test
  void run_fileNamesAnotherVirtualCluster_userLeavesDefault() {
    TeamService teams = new TeamService(web.db, new Audit(web.clock), Limits.NONE, _ -> {});
    teams.createVirtualCluster(Actor.SYSTEM, new VirtualCluster("class", "", Quota.UNLIMITED));
    Group students = Group.named("students").withVirtualClusters(List.of("class"));
    teams.createGroup(Actor.SYSTEM, students);
    teams.createGroup(Actor.SYSTEM, Group.named("readers"));
    run(
        """
        name,groups,virtualClusters
        bygroup,students,
        bycluster,,class
        both,students;default,
        other,readers,
        none,,
        """);
    assertThat(clustersOf(teams, "bygroup")).containsExactly("class");
    assertThat(clustersOf(teams, "bycluster")).containsExactly("class");
    assertThat(clustersOf(teams, "both")).containsExactlyInAnyOrder("class", "default");
    assertThat(clustersOf(teams, "other")).containsExactly("default");
    assertThat(clustersOf(teams, "none")).containsExactly("default");
  }

  private Set<String> clustersOf(TeamService teams, String user) {
    return teams.virtualClustersOf(web.users.load(user).id());
  }

  @Test
  void run_invalidHeading() {
    assertThat(run("user,name,name\n").get("problems")).hasSize(2);
    assertThat(run("").get("problems")).hasSize(1);
    assertThat(run("email\na@b\n").get("problems").get(0).get("code").textValue())
        .isEqualTo("error.import-no-name");
  }

  @Test
  void run_tooMany() {
    assertThat(run("name\n" + "a\n".repeat(1001)).get("problems").get(0).get("line").intValue())
        .isEqualTo(1002);
  }

  @Test
  void run_invalidUtf8_isReported() {
    byte[] gbk = "name,displayName\nbob,张三\n".getBytes(Charset.forName("GBK"));
    assertThat(web.post(web.root, PATH, gbk).body()).contains("error.import-encoding", "GBK");
  }

  @Test
  void run_utf16_reported() {
    byte[] wide = "name,displayName\nbob,Bob\n".getBytes(StandardCharsets.UTF_16LE);
    assertThat(web.post(web.root, PATH, wide).body()).contains("error.import-encoding");
  }

  @Test
  void run_forAdministratorsOnly() {
    assertThat(web.status(web.alice, "POST", PATH, "name\nbob\n")).isEqualTo(403);
  }
}
