package dev.trainyard.server.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.storage.PlatformStorages;
import dev.trainyard.server.storage.StorageDirectories;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of a user over a real connection. */
@Timeout(60)
class FileHttpTest {
  private static final String FILES = "/api/v3/files";
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "alice", new Caller("u1", "alice", false, "t1"),
          "bob", new Caller("u2", "bob", false, "t2"));

  @TempDir Path data;
  private final AtomicBoolean diskIsFull = new AtomicBoolean();
  private ScriptedEngine engine;
  private TestWeb web;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(data.resolve("gdata"));
    engine = new ScriptedEngine(List.<Node>of());
    PlatformStorages storages =
        new PlatformStorages(new StorageDirectories(data), engine, InstantSource.system());
    web =
        new TestWeb(
            WebConfig.local(0),
            routes ->
                new FileRoutes(storages, caller -> caller.userName().length(), this::requireSpace)
                    .addTo(routes),
            token -> Optional.ofNullable(CALLERS.get(token)));
  }

  @AfterEach
  void close() {
    web.close();
    engine.close();
  }

  private void requireSpace() {
    if (diskIsFull.get()) {
      throw new AppException(ErrorCode.DISK_FULL, Message.of("error.disk-full"));
    }
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer alice"));
    all.addAll(List.of(headers));
    return web.send(method, FILES + path, body, all.toArray(String[]::new));
  }

  private HttpResponse<String> put(String path, String body) throws Exception {
    return send("PUT", "/content?overwrite=true&" + path(path), body);
  }

  private static String path(String name) {
    return "path=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> response = send("GET", path, "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return TestWeb.json(response);
  }

  private Path home() {
    return data.resolve("home/alice");
  }

  @Test
  void upload_thenListAndDownload() throws Exception {
    HttpResponse<String> uploaded = put("a/b/train.py", "print(1)");
    assertThat(uploaded.statusCode()).as(uploaded.body()).isEqualTo(201);
    assertThat(TestWeb.json(uploaded).get("size").asLong()).isEqualTo(8);
    JsonNode list = json("?" + path("a/b"));
    assertThat(list.get("storage").textValue()).isEqualTo("home");
    assertThat(list.get("files")).hasSize(1);
    assertThat(list.get("files").get(0).get("name").textValue()).isEqualTo("train.py");
    HttpResponse<String> content = send("GET", "/content?" + path("a/b/train.py"), "");
    assertThat(content.body()).isEqualTo("print(1)");
    assertThat(content.headers().firstValue("Content-Disposition").orElseThrow())
        .contains("train.py");
    HttpResponse<String> part =
        send("GET", "/content?" + path("a/b/train.py"), "", "Range", "bytes=0-4");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("print");
  }

  @Test
  void upload_largeBody_isComplete() throws Exception {
    String text = "0123456789".repeat(300_000);
    assertThat(put("large", text).statusCode()).isEqualTo(201);
    assertThat(Files.readString(home().resolve("large"))).isEqualTo(text);
  }

  @Test
  void upload_existingFile_isConflictUnlessOverwrite() throws Exception {
    put("file", "old");
    assertThat(send("PUT", "/content?" + path("file"), "new").statusCode()).isEqualTo(409);
    assertThat(Files.readString(home().resolve("file"))).isEqualTo("old");
    assertThat(send("PUT", "/content?overwrite=maybe&" + path("file"), "new").statusCode())
        .isEqualTo(400);
    assertThat(put("file", "new").statusCode()).isEqualTo(201);
    assertThat(Files.readString(home().resolve("file"))).isEqualTo("new");
  }

  @Test
  void upload_clientDisconnects_leavesNothing() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), web.url().getPort())) {
      OutputStream out = socket.getOutputStream();
      String head =
          "PUT "
              + FILES
              + "/content?path=new/file HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice"
              + "\r\nContent-Length: 1000000\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(new byte[400_000]);
      out.flush();
      while (!Files.isDirectory(home())) {
        Thread.onSpinWait();
      }
    }
    assertThat(json("").get("files")).isEmpty();
    assertThat(put("other", "x").statusCode()).isEqualTo(201);
    try (Stream<Path> files = Files.list(home())) {
      assertThat(files).containsExactly(home().resolve("other"));
    }
  }

  @Test
  void upload_slowClient_doesNotDelayOthers() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 16; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), web.url().getPort());
        sockets.add(socket);
        String head =
            "PUT %s/content?path=slow%d HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bob"
                .formatted(FILES, i);
        socket
            .getOutputStream()
            .write((head + "\r\nContent-Length: 9\r\n\r\n1").getBytes(StandardCharsets.US_ASCII));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(put("file" + i, "x").statusCode()).isEqualTo(201);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void upload_fullDisk_isRejected() throws Exception {
    diskIsFull.set(true);
    assertThat(put("file", "x").statusCode()).isEqualTo(507);
    assertThat(send("POST", "/directory", "{\"path\": \"a\"}").statusCode()).isEqualTo(507);
    diskIsFull.set(false);
    assertThat(json("").get("files")).isEmpty();
  }

  @Test
  void directory_move_delete() throws Exception {
    assertThat(send("POST", "/directory", "{\"path\": \"a/b\"}").statusCode()).isEqualTo(201);
    put("a/file", "x");
    String move = "{\"from\": \"a/file\", \"to\": \"a/b/moved\"}";
    assertThat(send("POST", "/move", move).statusCode()).isEqualTo(200);
    assertThat(send("POST", "/move", move).statusCode()).isEqualTo(404);
    assertThat(send("POST", "/move", "{\"from\": \"a\"}").statusCode()).isEqualTo(400);
    assertThat(send("DELETE", "?" + path("a"), "").statusCode()).isEqualTo(409);
    assertThat(send("DELETE", "?recursive=true&" + path("a"), "").statusCode()).isEqualTo(204);
    assertThat(send("DELETE", "?recursive=true&" + path("a"), "").statusCode()).isEqualTo(404);
    assertThat(send("DELETE", "?recursive=true", "").statusCode()).isEqualTo(400);
  }

  @Test
  void usage_countsTheTree() throws Exception {
    put("a/b/file", "12345");
    put("c", "678");
    JsonNode usage = json("/usage");
    assertThat(usage.get("bytes").asLong()).isEqualTo(8);
    assertThat(usage.get("files").asLong()).isEqualTo(2);
    assertThat(usage.get("directories").asLong()).isEqualTo(2);
    assertThat(json("/usage?" + path("a")).get("bytes").asLong()).isEqualTo(5);
  }

  @Test
  void archive_containsTheTree() throws Exception {
    put("a/b/file", "12345");
    Files.createSymbolicLink(home().resolve("a/link"), Path.of("/etc/passwd"));
    HttpResponse<byte[]> zip =
        web.bytes(FILES + "/archive?" + path("a"), "Authorization", "Bearer alice");
    List<String> names = new ArrayList<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip.body()))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    assertThat(names).containsExactly("a/", "a/b/", "a/b/file");
    assertThat(send("GET", "/archive?format=rar", "").statusCode()).isEqualTo(400);
    assertThat(send("GET", "/archive?" + path("a/b/file"), "").statusCode()).isEqualTo(409);
  }

  @Test
  void otherUser_seesOnlyTheOwnHome() throws Exception {
    put("file", "secret");
    HttpResponse<String> bobs =
        web.get(FILES + "/content?" + path("file"), "Authorization", "Bearer bob");
    assertThat(bobs.statusCode()).isEqualTo(404);
    HttpResponse<String> outside =
        web.get(FILES + "/content?" + path("../alice/file"), "Authorization", "Bearer bob");
    assertThat(outside.statusCode()).isEqualTo(400);
  }

  @Test
  void otherStorages_datasetsAreReadOnly() throws Exception {
    Files.writeString(data.resolve("gdata/train"), "data");
    assertThat(send("GET", "/content?storage=gdata&path=train", "").body()).isEqualTo("data");
    assertThat(send("PUT", "/content?storage=gdata&path=new", "x").statusCode()).isEqualTo(403);
    assertThat(send("DELETE", "?storage=gdata&path=train", "").statusCode()).isEqualTo(403);
    assertThat(send("GET", "?storage=none", "").statusCode()).isEqualTo(404);
    assertThat(send("PUT", "/content?storage=gshare&path=new", "x").statusCode()).isEqualTo(201);
    assertThat(data.resolve("gshare/new")).hasContent("x");
  }

  @Test
  void hostilePaths_areRejected() throws Exception {
    put("file", "x");
    for (String path : List.of("..", "/etc/passwd", "a//b", "./file", "x".repeat(256))) {
      assertThat(send("GET", "/content?" + path(path), "").statusCode()).isEqualTo(400);
      assertThat(send("PUT", "/content?" + path(path), "x").statusCode()).isEqualTo(400);
      assertThat(send("DELETE", "?" + path(path), "").statusCode()).isEqualTo(400);
    }
  }
}
