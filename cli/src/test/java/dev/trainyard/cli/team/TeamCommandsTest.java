package dev.trainyard.cli.team;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TeamCommandsTest {
  private static final String LIMITS =
      """
      {"user": "bob", "groups": ["default", "class"], "virtualClusters": ["default"],
       "own": {"cpus": 4}, "limits": {"cpus": 4, "memoryMB": 2048},
       "used": {"runningJobs": 1, "cpus": 2, "memoryMB": 1024, "devices": 0, "unfinishedJobs": 3}}
      """;

  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new TestShell(home);
    server.on(
        "POST",
        "/api/v3/sessions",
        201,
        "{\"token\":\"fresh\",\"user\":\"alice\",\"admin\":true,\"expires\":1}");
    shell.password("pass").run("login", server.address().toString(), "-u", "alice");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String lastBody() {
    return server.requests().getLast().body();
  }

  @Test
  void groups_createSetAndMembers() {
    server.on("POST", "/api/v3/groups", 201, "{\"name\":\"lab\"}");
    assertThat(
            shell.run("groups", "create", "lab", "--vc", "a,b", "--vc", "c", "--running-jobs", "2"))
        .isZero();
    assertThat(shell.out()).contains("Created group lab");
    assertThat(lastBody())
        .contains("\"virtualClusters\":[\"a\",\"b\",\"c\"]", "{\"runningJobs\":2}")
        .doesNotContain("admin", "storages");
    server.on("PATCH", "/api/v3/groups/lab", 200, "{\"name\":\"lab\"}");
    assertThat(
            shell.run(
                "groups",
                "set",
                "lab",
                "--no-admin",
                "--vc",
                "",
                "--memory",
                "2GB",
                "--cpus",
                "unlimited",
                "--devices",
                "default"))
        .isZero();
    assertThat(lastBody())
        .contains("\"admin\":false", "\"virtualClusters\":[]", "\"memoryMB\":2048")
        .contains("\"cpus\":-1", "\"devices\":null");
    assertThat(shell.run("groups", "set", "lab")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("groups", "set", "lab", "--cpus", "many")).isEqualTo(ExitCode.USAGE);
    server.on("PUT", "/api/v3/groups/lab/members/bob", 204, "");
    server.on("PUT", "/api/v3/groups/lab/members/carol", 204, "");
    assertThat(shell.run("groups", "add", "lab", "bob", "carol")).isZero();
    assertThat(shell.out()).contains("Added bob, carol to lab");
    server.on("DELETE", "/api/v3/groups/lab/members/bob", 204, "");
    assertThat(shell.run("groups", "remove", "lab", "bob", "--json")).isZero();
    assertThat(shell.out().strip()).isEqualTo("{}");
    server.on("GET", "/api/v3/groups/lab/members", 200, "{\"members\":[\"carol\"]}");
    assertThat(shell.run("groups", "members", "lab")).isZero();
    assertThat(shell.out().strip()).isEqualTo("carol");
  }

  @Test
  void groups_list() {
    server.on(
        "GET",
        "/api/v3/groups",
        200,
        """
        {"groups": [{"name": "lab", "admin": true, "virtualClusters": ["a", "b"],
                     "storages": [], "description": "x"}]}
        """);
    assertThat(shell.run("groups")).isZero();
    assertThat(shell.out()).contains("GROUP", "lab", "administrator", "a, b");
    assertThat(shell.run("groups", "--json")).isZero();
    assertThat(shell.out()).startsWith("[");
  }

  @Test
  void vc_listCreateAndSet() {
    server.on(
        "GET",
        "/api/v3/virtual-clusters",
        200,
        """
        {"virtualClusters": [{"name": "lab", "description": "ours",
          "quota": {"cpus": 8, "deviceTypes": {"a100": 2}},
          "used": {"runningJobs": 1, "cpus": 4, "memoryMB": 512, "devices": 1,
                   "deviceTypes": {"a100": 1}}}]}
        """);
    assertThat(shell.run("vc")).isZero();
    assertThat(shell.out())
        .contains("lab  ours", "██████████░░░░░░░░░░ 4 of 8 in use", "1 of 2 in use", "no limit");
    server.on("POST", "/api/v3/virtual-clusters", 201, "{\"name\":\"lab\"}");
    assertThat(
            shell.run(
                "vc", "create", "lab", "--cpus", "8", "--memory", "1TB", "--device-type", "a100=2"))
        .isZero();
    assertThat(lastBody())
        .contains("\"cpus\":8", "\"memoryMB\":1048576", "\"deviceTypes\":{\"a100\":2}");
    server.on("PATCH", "/api/v3/virtual-clusters/lab", 200, "{\"name\":\"lab\"}");
    assertThat(shell.run("vc", "set", "lab", "--cpus", "unlimited")).isZero();
    assertThat(lastBody()).isEqualTo("{\"quota\":{\"cpus\":null}}");
    server.reject("DELETE", "/api/v3/virtual-clusters/lab", 409, "CONFLICT", "2 jobs of lab");
    assertThat(shell.run("vc", "rm", "lab")).isNotZero();
    assertThat(shell.err()).contains("2 jobs of lab");
  }

  @Test
  void userLimit_showAndSet() {
    server.on("GET", "/api/v3/users/bob/limits", 200, LIMITS);
    assertThat(shell.run("user", "limit", "bob")).isZero();
    assertThat(shell.out())
        .contains("Groups: default, class", "2 of 4 in use", "3 in use, no limit");
    server.on("PATCH", "/api/v3/users/bob/limits", 200, LIMITS);
    assertThat(shell.run("user", "limit", "bob", "--cpus", "4", "--unfinished-jobs", "10"))
        .isZero();
    assertThat(lastBody()).isEqualTo("{\"cpus\":4,\"unfinishedJobs\":10}");
  }

  @Test
  void whoami_printsGroupsAndUsage() {
    assertThat(shell.run("whoami")).isZero();
    assertThat(shell.out()).contains("alice at", "Groups: default");
    assertThat(shell.run("whoami", "--json")).isZero();
    assertThat(shell.out()).contains("\"groups\"", "\"admin\"");
  }

  @Test
  void storages_listCreateAndRemove() {
    server.on(
        "GET",
        "/api/v3/storages",
        200,
        """
        {"storages": [
          {"name": "images", "description": "ImageNet", "readOnly": true, "default": false},
          {"name": "scratch", "description": "", "readOnly": false, "default": true}]}
        """);
    assertThat(shell.run("storages")).isZero();
    assertThat(shell.out().lines().filter(line -> line.contains("images")).toList())
        .singleElement()
        .asString()
        .contains("ImageNet", "read");
    assertThat(shell.out().lines().filter(line -> line.contains("scratch")).toList())
        .singleElement()
        .asString()
        .contains("read and write", "yes");
    assertThat(shell.run("storages", "--json")).isZero();
    assertThat(shell.out()).startsWith("[").contains("\"readOnly\" : true");
    assertThat(shell.run("storages", "--lang", "zh")).isZero();
    assertThat(shell.out()).contains("images", "只读", "是");
    server.on("POST", "/api/v3/storages", 201, "{\"name\":\"s\"}");
    assertThat(shell.run("storages", "create", "s", "--read-only", "--description", "d")).isZero();
    assertThat(lastBody())
        .isEqualTo("{\"name\":\"s\",\"description\":\"d\",\"readOnly\":true,\"default\":false}");
    server.on("DELETE", "/api/v3/storages/s", 204, "");
    assertThat(shell.run("storages", "rm", "s")).isZero();
    assertThat(server.requestLines()).endsWith("DELETE /api/v3/storages/s");
    server.reject("DELETE", "/api/v3/storages/s", 409, "CONFLICT", "jobs use it");
    assertThat(shell.run("storages", "rm", "s")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("jobs use it");
  }

  @Test
  void capabilities_listGrantAndRevoke() {
    server.on(
        "GET",
        "/api/v3/capabilities",
        200,
        """
        {"grantable": [{"name": "SYS_ADMIN", "powerOverMachine": true}], "grants": [
          {"capability": "SYS_ADMIN", "user": "bob", "grantedBy": "root", "granted": 1},
          {"capability": "IPC_LOCK", "virtualCluster": "lab", "grantedBy": "root", "granted": 1}]}
        """);
    assertThat(shell.run("capabilities")).isZero();
    assertThat(shell.out()).contains("SYS_ADMIN", "bob", "IPC_LOCK", "lab", "root");
    assertThat(shell.run("capabilities", "--json")).isZero();
    assertThat(shell.out()).contains("\"grantable\"");
    server.on("PUT", "/api/v3/users/bob/capabilities/SYS_ADMIN", 204, "");
    assertThat(shell.run("capabilities", "grant", "--user", "bob", "SYS_ADMIN")).isZero();
    assertThat(shell.out()).contains("Granted SYS_ADMIN to bob");
    server.on("DELETE", "/api/v3/virtual-clusters/lab/capabilities/IPC_LOCK", 204, "");
    assertThat(shell.run("capabilities", "revoke", "--vc", "lab", "IPC_LOCK")).isZero();
    assertThat(server.requestLines())
        .endsWith("DELETE /api/v3/virtual-clusters/lab/capabilities/IPC_LOCK");
    assertThat(shell.run("capabilities", "grant", "SYS_ADMIN")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("capabilities", "grant", "--user", "a", "--vc", "b", "SYS_ADMIN"))
        .isEqualTo(ExitCode.USAGE);
  }
}
