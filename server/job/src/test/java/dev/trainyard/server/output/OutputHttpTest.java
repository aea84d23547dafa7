package dev.trainyard.server.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.FileLease;
import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.queue.SavedOutput;
import dev.trainyard.server.storage.StorageDirectories;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the saved files of a job over a real connection. */
class OutputHttpTest {
  private static final Map<String, Caller> CALLERS =
      Map.of("alice", JobFixture.ALICE, "bob", new Caller("u2", "bob", false, "t2"));
  private static final String OUTPUTS = "/api/v3/jobs/hello/outputs";

  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db).started();
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0),
          routes ->
              new OutputRoutes(fixture.service(), this::savedOutput, tree -> {}).addTo(routes),
          token -> Optional.ofNullable(CALLERS.get(token)));
  private JobId job;
  private Path output;

  @BeforeEach
  void submit() throws IOException {
    job = fixture.service().submit(JobFixture.ALICE, JobFileText.named("hello"), false).job().id();
    output = new StorageDirectories(fixture.data).output(job);
  }

  @AfterEach
  void close() {
    web.close();
    fixture.close();
    db.close();
  }

  private SavedOutput savedOutput(Job job) {
    return SavedOutput.of(
        new StorageDirectories(fixture.data), job, one -> fixture.service().config(one).spec());
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer alice"));
    all.addAll(List.of(headers));
    return web.get(path, all.toArray(String[]::new));
  }

  private static String path(String name) {
    return "path=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private HttpResponse<String> file(String name, String... headers) throws Exception {
    return get(OUTPUTS + "/file?" + path(name), headers);
  }

  private void write(String name, String text) throws IOException {
    Path file = output.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void list_nothingSaved_isEmpty() throws Exception {
    assertThat(TestWeb.json(get(OUTPUTS)).get("files")).isEmpty();
    assertThat(get(OUTPUTS + "?path=a").statusCode()).isEqualTo(404);
    assertThat(get(OUTPUTS + "/archive").statusCode()).isEqualTo(404);
  }

  @Test
  void list_outputBelowHome_containsOnlyThatDirectory() throws Exception {
    String file = JobFileText.of("homely", "main", 1, 1, 0, "\"outputDir\": \"/userhome/out\",");
    fixture.service().submit(JobFixture.ALICE, file, false);
    Path home = Files.createDirectories(fixture.data.resolve("home/alice"));
    String outputs = "/api/v3/jobs/homely/outputs";
    assertThat(TestWeb.json(get(outputs)).get("files")).isEmpty();
    Files.createDirectories(home.resolve("out"));
    Files.writeString(home.resolve("out/model.pt"), "model");
    Files.writeString(home.resolve("private"), "private");
    Files.createSymbolicLink(home.resolve("out/link"), Path.of("../private"));
    Files.createSymbolicLink(home.resolve("out/absolute"), fixture.data.toAbsolutePath());
    JsonNode files = TestWeb.json(get(outputs)).get("files");
    assertThat(files.findValuesAsText("name")).containsExactly("absolute", "link", "model.pt");
    assertThat(get(outputs + "/file?path=model.pt").body()).isEqualTo("model");
    for (String path : List.of("../private", "link", "/private", "absolute/home", "..")) {
      assertThat(get(outputs + "/file?" + path(path)).body()).doesNotContain("\"private");
      assertThat(get(outputs + "/file?" + path(path)).statusCode()).isNotEqualTo(200);
    }
    assertThat(TestWeb.json(get(outputs + "?path=..")).get("files").findValuesAsText("name"))
        .doesNotContain("private");
    HttpResponse<String> archive = get(outputs + "/archive?format=tar");
    assertThat(archive.body()).contains("homely/model.pt").doesNotContain("homely/private");
    assertThat(web.get(outputs, "Authorization", "Bearer bob").statusCode()).isEqualTo(404);
  }

  @Test
  void list_outputIsHomeItself_isEmpty() throws Exception {
    String file = JobFileText.of("all", "main", 1, 1, 0, "\"outputDir\": \"/userhome/./\",");
    fixture.service().submit(JobFixture.ALICE, file, false);
    Files.createDirectories(fixture.data.resolve("home/alice/x"));
    assertThat(TestWeb.json(get("/api/v3/jobs/all/outputs")).get("files")).isEmpty();
  }

  @Test
  void list_pagesByName() throws Exception {
    for (int i = 0; i < 7; i++) {
      write("f" + i, "x".repeat(i));
    }
    List<String> names = new ArrayList<>();
    String after = "";
    int pages = 0;
    do {
      JsonNode page = TestWeb.json(get(OUTPUTS + "?limit=3" + after));
      page.get("files").forEach(file -> names.add(file.get("name").asText()));
      after = page.has("next") ? "&after=" + page.get("next").asText() : "";
      pages++;
    } while (!after.isEmpty());
    assertThat(names).containsExactly("f0", "f1", "f2", "f3", "f4", "f5", "f6");
    assertThat(pages).isEqualTo(3);
    assertThat(get(OUTPUTS + "?limit=0&after=%25").statusCode()).isEqualTo(400);
  }

  @Test
  void list_hostileNames_returnedUnchanged() throws Exception {
    write("<img src=x onerror=alert(1)>\n\"", "1");
    write("模型.pt", "22");
    write("d/e", "3");
    Files.createSymbolicLink(output.resolve("link"), Path.of("/etc/passwd"));
    Files.createFile(Path.of(URI.create(output.toUri() + "b%FFd")));
    JsonNode files = TestWeb.json(get(OUTPUTS)).get("files");
    assertThat(files.findValuesAsText("name"))
        .containsExactlyInAnyOrder(
            "<img src=x onerror=alert(1)>\n\"", "模型.pt", "d", "link", "b\uFFFDd");
    for (JsonNode file : files) {
      boolean readable = !file.get("name").asText().equals("b\uFFFDd");
      assertThat(file.get("text").asBoolean()).isEqualTo(readable);
    }
    assertThat(files.findValuesAsText("kind")).contains("directory", "link", "file");
    HttpResponse<String> script = file("<img src=x onerror=alert(1)>\n\"");
    assertThat(script.body()).isEqualTo("1");
    assertThat(script.headers().firstValue("Content-Type")).contains("application/octet-stream");
    assertThat(script.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(script.headers().firstValue("Content-Disposition").orElseThrow())
        .startsWith("attachment; filename=\"_img_src")
        .doesNotContain("\n", "<");
    assertThat(file("模型.pt").headers().firstValue("Content-Disposition").orElseThrow())
        .endsWith("filename*=UTF-8''%E6%A8%A1%E5%9E%8B.pt");
  }

  @Test
  void file_outside_isNotFound() throws Exception {
    write("inside", "in");
    Path secret = Files.writeString(fixture.data.resolve("secret"), "secret");
    Files.createSymbolicLink(output.resolve("absolute"), secret);
    Files.createSymbolicLink(output.resolve("relative"), Path.of("../../../secret"));
    Files.createSymbolicLink(output.resolve("up"), Path.of("../../.."));
    Files.createSymbolicLink(output.resolve("magic"), Path.of("/proc/self/root"));
    Files.createSymbolicLink(output.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(output.resolve("good"), Path.of("/inside"));
    for (String name :
        List.of(
            "absolute",
            "relative",
            "up/secret",
            "../../../secret",
            "/etc/passwd",
            "magic/etc/passwd",
            "loop",
            "inside/x",
            "x".repeat(5000),
            "../../" + job.value() + "/output/inside")) {
      assertThat(file(name).statusCode()).as(name).isEqualTo(404);
    }
    assertThat(file("good").body()).isEqualTo("in");
    assertThat(file("").statusCode()).isEqualTo(400);
    assertThat(file("inside%00").statusCode()).isEqualTo(404);
    String asBob = "/api/v3/jobs/" + job.value() + "/outputs/file?path=inside";
    assertThat(web.get(asBob, "Authorization", "Bearer bob").statusCode()).isEqualTo(404);
  }

  @Test
  void file_notRegular_rejected() throws Exception {
    write("d/x", "");
    new ProcessBuilder("mkfifo", output.resolve("pipe").toString()).start().waitFor();
    assertThat(file("pipe").statusCode()).isEqualTo(409);
    assertThat(file("d").statusCode()).isEqualTo(409);
    assertThat(get(OUTPUTS + "?path=d/x").statusCode()).isEqualTo(409);
    assertThat(get(OUTPUTS + "/archive?path=d/x").statusCode()).isEqualTo(409);
  }

  /** The kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void file_leased_rejectedWithoutWaiting() throws Exception {
    write("d/leased", "leased");
    write("d/other", "other");
    try (FileLease _ = FileLease.take(output.resolve("d/leased"))) {
      HttpResponse<String> response = file("d/leased");
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body()).contains("error.file-leased");
      String archive = get(OUTPUTS + "/archive?format=tar&path=d").body();
      assertThat(archive).contains("d/other").doesNotContain("d/leased");
    }
    assertThat(file("d/leased").body()).isEqualTo("leased");
  }

  @Test
  void path_long_isNotProcessed() throws Exception {
    write("dir/f", "x");
    String tooLong = path("dir" + "/".repeat(20_000) + "f");
    for (String route : List.of("", "/file", "/archive")) {
      HttpResponse<String> response = get(OUTPUTS + route + "?" + tooLong);
      assertThat(response.statusCode()).as(route).isEqualTo(404);
      assertThat(response.body().length()).as(route).isLessThan(10_000);
    }
    assertThat(archiveDisposition("dir" + "/".repeat(4_000))).contains("\"dir.zip\"");
    assertThat(archiveDisposition("/")).contains("\"hello.zip\"");
  }

  private String archiveDisposition(String directory) throws Exception {
    HttpResponse<String> response = get(OUTPUTS + "/archive?" + path(directory));
    return response.headers().firstValue("Content-Disposition").orElse(response.body());
  }

  @Test
  void file_ranges() throws Exception {
    write("ten", "0123456789");
    assertThat(file("ten").headers().firstValue("Content-Length")).contains("10");
    HttpResponse<String> middle = file("ten", "Range", "bytes=2-4");
    assertThat(middle.statusCode()).isEqualTo(206);
    assertThat(middle.body()).isEqualTo("234");
    assertThat(middle.headers().firstValue("Content-Range")).contains("bytes 2-4/10");
    assertThat(file("ten", "Range", "bytes=7-").body()).isEqualTo("789");
    assertThat(file("ten", "Range", "bytes=-2").body()).isEqualTo("89");
    assertThat(file("ten", "Range", "bytes=8-99").body()).isEqualTo("89");
    assertThat(file("ten", "Range", "bytes=10-").statusCode()).isEqualTo(416);
    assertThat(file("ten", "Range", "bytes=0-1,3-4").body()).isEqualTo("0123456789");
    String tag = middle.headers().firstValue("ETag").orElseThrow();
    assertThat(file("ten", "Range", "bytes=0-0", "If-Range", tag).body()).isEqualTo("0");
    assertThat(file("ten", "Range", "bytes=0-0", "If-Range", "\"x\"").statusCode()).isEqualTo(200);
  }

  @Test
  void archive_omitsLinks() throws Exception {
    write("a/b.txt", "bee");
    write("c", "sea");
    write("..\\evil", "e");
    Files.createSymbolicLink(output.resolve("link"), Path.of("/etc/passwd"));
    List<String> names = new ArrayList<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(downloadArchive("")))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        names.add(entry.getName() + new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(names)
        .containsExactlyInAnyOrder(
            "hello/", "hello/a/", "hello/a/b.txtbee", "hello/csea", "hello/.._evile");
    Path tar = Files.write(fixture.data.resolve("x.tar"), downloadArchive("?format=tar&path=a"));
    Process listed = new ProcessBuilder("tar", "-tf", tar.toString()).start();
    assertThat(new String(listed.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
        .containsExactly("a", "a/b.txt");
    assertThat(get(OUTPUTS + "/archive?format=rar").statusCode()).isEqualTo(400);
  }

  private byte[] downloadArchive(String query) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(web.url().resolve(OUTPUTS + "/archive" + query))
            .header("Authorization", "Bearer alice")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
    }
  }

  /** Opens a connection that sends a request and never reads. */
  private static Socket stalled(TestWeb server, String path) throws IOException {
    Socket socket = new Socket(server.url().getHost(), server.url().getPort());
    socket.setReceiveBufferSize(1024);
    String request =
        "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice\r\n\r\n".formatted(path);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  @Test
  void download_stalled_isLimitedAndAborted() throws Exception {
    try (RandomAccessFile large = new RandomAccessFile(largeFile().toString(), "rw")) {
      large.setLength(1L << 33);
    }
    WebConfig local = WebConfig.local(0);
    WebConfig shortTimeoutConfig =
        new WebConfig(
            local.host(),
            0,
            local.tls(),
            local.publicUrls(),
            local.trustedProxies(),
            Duration.ofSeconds(3));
    List<Socket> sockets = new ArrayList<>();
    String[] signedIn = {"Authorization", "Bearer alice"};
    try (TestWeb other =
        new TestWeb(
            shortTimeoutConfig,
            routes ->
                new OutputRoutes(fixture.service(), this::savedOutput, tree -> {}).addTo(routes),
            token -> Optional.ofNullable(CALLERS.get(token)))) {
      write("small", "small");
      for (int i = 0; i < 12; i++) {
        sockets.add(stalled(other, OUTPUTS + "/file?path=large"));
        sockets.add(stalled(other, OUTPUTS + "/archive?format=tar"));
      }
      String small = OUTPUTS + "/file?path=small";
      HttpResponse<String> rejected = other.get(small, signedIn);
      while (rejected.statusCode() == 200) {
        rejected = other.get(small, signedIn);
      }
      assertThat(rejected.statusCode()).isEqualTo(429);
      assertThat(rejected.headers().firstValue("Retry-After")).isPresent();
      assertThat(other.get(OUTPUTS, signedIn).statusCode()).isEqualTo(200);
      // The server ends downloads that are not read; the sockets stay open on this side.
      while (other.get(small, signedIn).statusCode() != 200) {
        Thread.onSpinWait();
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private Path largeFile() throws IOException {
    Files.createDirectories(output);
    return output.resolve("large");
  }
}
