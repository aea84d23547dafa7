package dev.trainyard.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCommandsTest {
  private static final String ENTRY =
      """
      {"name": "torch", "reference": "lab:5000/torch:2", "description": "d", "framework": "PyTorch",
       "tags": ["gpu"], "state": "%s", "proposedBy": "bob", "note": "tried"}
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
  void image_ls_printsTable() {
    server.on(
        "GET",
        "/api/v3/local-images",
        200,
        """
        {"images": [{"reference": "ubuntu:16.04", "id": "sha256:1", "size": 1200000000,
         "created": 0, "architecture": "amd64", "inUse": true, "origin": "PULLED"}]}
        """);
    assertThat(shell.run("image", "ls")).isZero();
    assertThat(shell.out()).contains("ubuntu:16.04", "1.1 GiB", "amd64", "in use");
    assertThat(shell.run("image", "ls", "--json")).isZero();
    assertThat(shell.out()).contains("\"inUse\" : true");
  }

  @Test
  void image_pull_exitsWithResultOfLastLine() {
    server.on(
        "POST",
        "/api/v3/local-images/pull",
        200,
        "{\"percent\":50,\"done\":1,\"total\":2}\n{\"image\":{\"id\":\"sha256:1\"}}\n");
    assertThat(shell.run("image", "pull", "ubuntu")).isZero();
    assertThat(shell.out()).contains("Pulled ubuntu");

    server.on(
        "POST",
        "/api/v3/local-images/pull",
        200,
        """
        {"error":{"code":"NOT_FOUND","message":"m","messageCode":"error.image-unknown",\
        "params":{"image":"none","registry":"docker.io"}}}
        """);
    assertThat(shell.run("image", "pull", "none")).isNotZero();
    assertThat(shell.err()).contains("image none not found");
  }

  @Test
  void image_catalog_searchAndChange() {
    server.on("GET", "/api/v3/images", 200, "{\"images\":[" + ENTRY.formatted("REFUSED") + "]}");
    assertThat(shell.run("image", "search", "py", "gpu")).isZero();
    assertThat(shell.out()).contains("torch", "lab:5000/torch:2", "refused: tried");
    assertThat(server.requests().getLast().path()).endsWith("?search=py%20gpu");
    String changed = ENTRY.formatted("APPROVED").replace("\"note\"", "\"changed\": true, \"note\"");
    server.on("GET", "/api/v3/images", 200, "{\"images\": [" + changed + "]}");
    assertThat(shell.run("image", "search")).isZero();
    assertThat(shell.out())
        .contains("approved (the approved image differs from the one on the node): tried");

    server.on("POST", "/api/v3/images", 201, ENTRY.formatted("PROPOSED"));
    assertThat(shell.run("image", "propose", "torch", "lab:5000/torch:2", "--tag", "gpu,cuda"))
        .isZero();
    assertThat(shell.out()).contains("an administrator must approve it");
    assertThat(lastBody()).contains("[\"gpu\",\"cuda\"]");

    server.on("POST", "/api/v3/images/torch/approve", 200, ENTRY.formatted("APPROVED"));
    assertThat(shell.run("image", "approve", "torch", "--note", "fine")).isZero();
    assertThat(lastBody()).contains("\"note\":\"fine\"");
  }

  @Test
  void image_search_showsDescriptionInLanguageAndAvailability() {
    String entry =
        """
        {"images": [{"name": "deepo", "reference": "docker.io/ufoym/deepo:latest",
         "description": "Deepo", "descriptionCode": "catalog.deepo", "framework": "", "tags": [],
         "state": "APPROVED", "proposedBy": "", "note": "", "availability": "UNUSED"}]}
        """;
    server.on("GET", "/api/v3/images", 200, entry);
    assertThat(shell.run("images", "search")).isZero();
    assertThat(shell.out()).contains("MXNet and other frameworks", "not used by this engine");
    assertThat(shell.run("--lang", "zh", "image", "search")).isZero();
    assertThat(shell.out()).contains("等多种框架", "当前引擎不使用");
  }

  @Test
  void registry_login_asksForThePassword() {
    server.on("POST", "/api/v3/registry-logins", 201, "{\"id\":\"1\",\"registry\":\"lab:5000\"}");
    assertThat(shell.password("hush").run("registry", "login", "lab:5000", "-u", "robot")).isZero();
    assertThat(lastBody()).contains("\"password\":\"hush\"", "\"username\":\"robot\"");
    assertThat(shell.out()).contains("Stored the login for lab:5000").doesNotContain("hush");
  }

  @Test
  void registry_logout_findsTheLogin() {
    server.on(
        "GET",
        "/api/v3/registry-logins",
        200,
        """
        {"logins": [{"id": "1", "registry": "lab:5000", "group": "lab", "username": "u"},
                    {"id": "2", "registry": "lab:5000", "group": null, "username": "u"}]}
        """);
    server.on("DELETE", "/api/v3/registry-logins/2", 204, "");
    assertThat(shell.run("registry", "logout", "lab:5000")).isZero();
    assertThat(shell.run("registry", "logout", "other:5000")).isNotZero();
  }

  @Test
  void registry_tags_comeFromAllPages() {
    server.on(
        "GET",
        "/api/v3/registries/lab:5000/tags",
        exchange -> {
          boolean isSecondPage = exchange.getRequestURI().getQuery().endsWith("&after=2");
          FakeServer.reply(
              exchange,
              200,
              isSecondPage ? "{\"tags\":[\"3\"]}" : "{\"tags\":[\"1\",\"2\"],\"next\":\"2\"}");
        });
    assertThat(shell.run("registry", "tags", "lab:5000", "a/b")).isZero();
    assertThat(shell.out()).contains("1\n2\n3\n");
    assertThat(server.requests().getLast().path()).contains("repository=a%2Fb");
  }

  @Test
  void commit_task_printsImage() {
    server.on(
        "POST",
        "/api/v3/jobs/train/commit",
        200,
        "{\"image\":{\"id\":\"sha256:1\",\"references\":[\"alice/mine:1\"],\"size\":1}}\n");
    assertThat(shell.run("commit", "train", "mine:1", "--role", "worker", "--index", "1")).isZero();
    assertThat(shell.out()).contains("Created image alice/mine:1");
    assertThat(lastBody()).contains("\"role\":\"worker\"", "\"index\":1", "\"push\":false");
  }
}
