package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.team.VirtualCluster;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UserOperationsTest {
  private static final String KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE7F3mH8G1kT4d0Q8n3c5l1u4m1rB0mBz0k9e0V0o1yq";

  private final OpenPaiFixture fixture = new OpenPaiFixture();
  private String root;
  private String alice;

  @BeforeEach
  void signIn() throws Exception {
    root = fixture.signIn("root");
    alice = fixture.signIn("alice");
    fixture.teams.createVirtualCluster(
        Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED.withCpus(4)));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private HttpResponse<String> create(String name, String extraFields) throws Exception {
    return fixture.send(
        root,
        "POST",
        "/users/",
        "{\"username\":\"%s\",\"password\":\"%s-password\",\"email\":\"%s@x.example\"%s}"
            .formatted(name, name, name, extraFields));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.textValue()));
    return texts;
  }

  @Test
  void create_withVirtualClusters() throws Exception {
    HttpResponse<String> response =
        create("carol", ",\"virtualCluster\":[\"lab\"],\"extension\":{\"a\":1}");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).isEqualTo("{\"message\":\"User is created successfully\"}");
    JsonNode carol = fixture.get(root, "/users/carol");
    assertThat(carol.get("email").textValue()).isEqualTo("carol@x.example");
    assertThat(texts(carol.get("virtualCluster"))).containsExactlyInAnyOrder("default", "lab");
    assertThat(texts(carol.get("grouplist"))).containsExactlyInAnyOrder("default", "lab");
    assertThat(carol.get("admin").booleanValue()).isFalse();
    String token = fixture.signIn("carol");
    assertThat(fixture.get(token, "/virtual-clusters").at("/lab/resourcesTotal/cpu").intValue())
        .isEqualTo(4);
    assertThat(fixture.get(alice, "/virtual-clusters").has("lab")).isFalse();
    assertThat(refusal(create("carol", ""))).isEqualTo("409 ConflictUserError");
    assertThat(refusal(create("dave", ",\"virtualCluster\":[\"none\"]")))
        .isEqualTo("400 NoVirtualClusterError");
    assertThat(refusal(create("dave", ",\"odd\":1"))).isEqualTo("400 InvalidParametersError");
    assertThat(refusal(fixture.send(root, "GET", "/users/dave", ""))).isEqualTo("400 NoUserError");
  }

  @Test
  void list_usersSeeOnlyThemselves() throws Exception {
    assertThat(fixture.get(root, "/users/")).hasSize(3);
    JsonNode own = fixture.get(alice, "/users");
    assertThat(own).hasSize(1);
    assertThat(own.get(0).get("username").textValue()).isEqualTo("alice");
    assertThat(refusal(fixture.send(alice, "GET", "/users/bob", ""))).isEqualTo("400 NoUserError");
    assertThat(fixture.get(alice, "/api/v1/user/alice").get("username").textValue())
        .isEqualTo("alice");
    assertThat(refusal(fixture.send(alice, "POST", "/users", "{}")))
        .isEqualTo("403 ForbiddenUserError");
  }

  @Test
  void extension_mergedAndSecretsVisibleToOwnerOnly() throws Exception {
    String own =
        "{\"patch\":true,\"data\":{\"username\":\"alice\",\"extension\":{"
            + "\"sshKeys\":[{\"title\":\"laptop\",\"value\":\""
            + KEY
            + "\"}],\"jobSSH\":{\"key\":\"private\",\"pubKey\":\"public\"},"
            + "\"boundedClusters\":{\"other\":{\"token\":\"secret\"}}}}}";
    assertThat(fixture.send(alice, "PUT", "/users/me", own).statusCode()).isEqualTo(201);
    String extraFields =
        "{\"patch\":true,\"data\":{\"username\":\"alice\",\"extension\":{\"x\":1}}}";
    assertThat(fixture.send(alice, "PUT", "/users/me", extraFields).statusCode()).isEqualTo(201);
    JsonNode seen = fixture.get(alice, "/users/alice").get("extension");
    assertThat(seen.at("/sshKeys/0/value").textValue()).isEqualTo(KEY);
    assertThat(seen.at("/jobSSH/key").textValue()).isEqualTo("private");
    assertThat(seen.at("/x").intValue()).isEqualTo(1);
    String shown = fixture.send(root, "GET", "/users/alice", "").body();
    assertThat(shown).contains(KEY, "public").doesNotContain("private", "secret");
    assertThat(fixture.send(root, "GET", "/users", "").body()).doesNotContain("private", "secret");
    String broken = own.replace("ssh-ed25519 ", "ssh-ed25519 x");
    assertThat(fixture.send(alice, "PUT", "/users/me", broken).statusCode()).isEqualTo(400);
    assertThat(
            refusal(fixture.send(alice, "PUT", "/users/me", own.replace("\"alice\"", "\"bob\""))))
        .isEqualTo("403 ForbiddenUserError");
  }

  @Test
  void password_changed() throws Exception {
    String change =
        "{\"patch\":true,\"data\":{\"username\":\"alice\",\"oldPassword\":\"%s\","
            + "\"newPassword\":\"another-password\"}}";
    assertThat(refusal(fixture.send(alice, "PUT", "/users/me", change.formatted("wrong-password"))))
        .isEqualTo("400 IncorrectPasswordError");
    String other = fixture.signIn("alice");
    assertThat(
            fixture
                .send(alice, "PUT", "/users/me", change.formatted("alice-password"))
                .statusCode())
        .isEqualTo(201);
    assertThat(fixture.send(other, "GET", "/jobs", "").statusCode()).isEqualTo(401);
    assertThat(fixture.users.signIn("alice", "another-password", "10.0.0.1").name())
        .isEqualTo("alice");
    String reset =
        "{\"patch\":true,\"data\":{\"username\":\"alice\",\"password\":\"reset-password\"}}";
    assertThat(fixture.send(root, "PUT", "/users", reset).statusCode()).isEqualTo(201);
    assertThat(fixture.users.signIn("alice", "reset-password", "10.0.0.1").name())
        .isEqualTo("alice");
    String fullReset = reset.replace("\"patch\":true,", "");
    assertThat(refusal(fixture.send(root, "PUT", "/users", fullReset)))
        .isEqualTo("400 InvalidParametersError");
  }

  @Test
  void groups_fromCreationToDeletion() throws Exception {
    String group =
        "{\"groupname\":\"team_1\",\"description\":\"d\",\"externalName\":\"\","
            + "\"extension\":{\"acls\":{\"admin\":false,\"virtualClusters\":[\"lab\"],"
            + "\"storageConfigs\":[\"data\"]}}}";
    HttpResponse<String> response = fixture.send(root, "POST", "/groups", group);
    assertThat(response.body()).isEqualTo("{\"message\":\"group is created successfully\"}");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(
            fixture
                .send(root, "PUT", "/users/alice/group/", "{\"groupname\":\"team_1\"}")
                .statusCode())
        .isEqualTo(201);
    assertThat(fixture.get(alice, "/virtual-clusters").has("lab")).isTrue();
    assertThat(fixture.get(alice, "/storages").at("/storages/0/name").textValue())
        .isEqualTo("data");
    assertThat(refusal(fixture.send(alice, "GET", "/storages/none", "")))
        .isEqualTo("404 NoStorageError");
    assertThat(texts(fixture.get(root, "/users/alice").get("storageConfig")))
        .containsExactly("data");
    JsonNode members = fixture.get(root, "/groups/team_1/userlist");
    assertThat(members.get(0).get("username").textValue()).isEqualTo("alice");
    assertThat(fixture.get(root, "/groups/undefined/userlist")).isEmpty();
    String patch = "{\"patch\":true,\"data\":{\"groupname\":\"team_1\",\"description\":\"new\"}}";
    assertThat(fixture.send(root, "PUT", "/groups", patch).statusCode()).isEqualTo(201);
    assertThat(
            fixture
                .send(root, "PUT", "/groups/team_1/extension/acls/virtualClusters", "{\"data\":[]}")
                .statusCode())
        .isEqualTo(201);
    JsonNode shown = fixture.get(alice, "/groups/team_1");
    assertThat(shown.get("description").textValue()).isEqualTo("new");
    assertThat(shown.at("/extension/acls/virtualClusters")).isEmpty();
    assertThat(fixture.get(alice, "/virtual-clusters").has("lab")).isFalse();
    assertThat(
            fixture
                .send(root, "PUT", "/users/alice/grouplist/", "{\"grouplist\":[\"default\"]}")
                .statusCode())
        .isEqualTo(201);
    assertThat(fixture.send(root, "DELETE", "/groups/team_1", "").statusCode()).isEqualTo(200);
    assertThat(refusal(fixture.send(alice, "GET", "/groups/team_1", "")))
        .isEqualTo("400 NoGroupError");
    assertThat(
            refusal(fixture.send(root, "PUT", "/users/alice/group", "{\"groupname\":\"team_1\"}")))
        .isEqualTo("404 NoGroupError");
  }

  @Test
  void delete_notAdministrators() throws Exception {
    assertThat(fixture.send(root, "DELETE", "/users/bob", "").body())
        .isEqualTo("{\"message\":\"user is removed successfully\"}");
    assertThat(refusal(fixture.send(root, "DELETE", "/users/root", "")))
        .isEqualTo("403 RemoveAdminError");
    assertThat(refusal(fixture.send(root, "DELETE", "/users/bob", "")))
        .isEqualTo("404 NoUserError");
    assertThat(fixture.send(root, "PUT", "/users/alice/admin", "{\"admin\":true}").statusCode())
        .isEqualTo(201);
    assertThat(TestWeb.json(fixture.send(alice, "GET", "/users", ""))).hasSize(2);
  }
}
