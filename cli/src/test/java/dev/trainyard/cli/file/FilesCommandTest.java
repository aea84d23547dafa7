package dev.trainyard.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesCommandTest {
  private static final String FILES = "/api/v3/files";
  private static final String CLEAR_LINE = "\r\033[K";

  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new TestShell(home);
    server.on("POST", "/api/v3/sessions", 201, "{\"token\":\"fresh\",\"user\":\"alice\"}");
    shell.password("pass").run("login", server.address().toString(), "-u", "alice");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String lastPath() {
    return server.requests().getLast().path();
  }

  @Test
  void ls_printsFiles() {
    server.on(
        "GET",
        FILES,
        200,
        """
        {"storage": "home", "path": "", "files": [
          {"name": "model.pt", "kind": "file", "size": 1200000, "modified": 0, "text": true},
          {"name": "d", "kind": "directory", "size": null, "modified": 0, "text": true}]}
        """);
    assertThat(shell.run("files")).isZero();
    assertThat(shell.out()).contains("model.pt", "1.1 MiB", "d/");
    assertThat(shell.run("files", "ls", ":gdata/digits", "--json")).isZero();
    assertThat(shell.out()).contains("\"size\" : 1200000");
    assertThat(lastPath()).contains("storage=gdata&path=digits");
  }

  @Test
  void cat_printsTheContent() {
    server.on("GET", FILES + "/content", 200, "the text");
    assertThat(shell.run("files", "cat", ":a b.txt")).isZero();
    assertThat(shell.out()).contains("the text");
    assertThat(lastPath()).contains("storage=home&path=a%20b.txt");
  }

  @Test
  void mkdir_mv_rm_du() {
    server.on("POST", FILES + "/directory", 201, "{\"storage\":\"home\",\"path\":\"a\"}");
    assertThat(shell.run("files", "mkdir", ":a")).isZero();
    assertThat(shell.out()).contains("Created :a");
    server.on("POST", FILES + "/move", 200, "{\"storage\":\"home\",\"path\":\"b\"}");
    assertThat(shell.run("files", "mv", ":a", ":b")).isZero();
    assertThat(shell.run("files", "mv", ":a", ":gshare/b")).isNotZero();
    server.on("DELETE", FILES, 204, "");
    assertThat(shell.run("files", "rm", "-r", ":b")).isZero();
    assertThat(lastPath()).endsWith("path=b&recursive=true");
    server.on(
        "GET",
        FILES + "/usage",
        200,
        "{\"storage\":\"home\",\"path\":\"\",\"bytes\":2048,\"files\":1,\"directories\":2}");
    assertThat(shell.run("files", "du")).isZero();
    assertThat(shell.out()).contains("2 KiB in 1 file and 2 directories");
    assertThat(shell.run("files", "du", "--lang", "zh")).isZero();
    assertThat(shell.out()).contains("1 个文件");
    server.reject("DELETE", FILES, 409, "CONFLICT", "not empty");
    assertThat(shell.run("files", "rm", ":b")).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void cp_file_isUploaded() throws IOException {
    server.on("PUT", FILES + "/content", 201, "{\"size\":4}");
    Path file = Files.writeString(home.resolve("train.py"), "text");
    assertThat(shell.run("cp", file.toString(), ":project/")).isZero();
    assertThat(lastPath()).contains("path=project%2Ftrain.py").endsWith("overwrite=true");
    assertThat(server.requests().getLast().body()).isEqualTo("text");
    assertThat(shell.out()).contains("Copied 1 file, 4 B");
  }

  @Test
  void cp_terminal_showsProgressUntilTheEnd() throws IOException {
    server.on("PUT", FILES + "/content", 201, "{\"size\":4}");
    server.on("GET", FILES + "/content", 200, "bytes");
    Path file = Files.writeString(home.resolve("train.py"), "text");
    assertThat(shell.run("cp", file.toString(), ":x")).isZero();
    assertThat(shell.err()).isEmpty();
    shell.errTerminal();
    assertThat(shell.run("cp", file.toString(), ":x")).isZero();
    assertThat(shell.err()).contains("0 files copied, 4 B: ").endsWith(CLEAR_LINE);
    assertThat(shell.run("cp", ":x", file.toString(), "--lang", "zh")).isZero();
    assertThat(shell.err()).contains("已复制 0 个文件，5 B：").endsWith(CLEAR_LINE);
  }

  @Test
  void cp_directory_isUploadedWithoutLinks() throws IOException {
    server.on("PUT", FILES + "/content", 201, "{\"size\":1}");
    server.on("POST", FILES + "/directory", 201, "{}");
    Path directory = Files.createDirectories(home.resolve("dir/sub")).getParent();
    Files.writeString(directory.resolve("a"), "a");
    Files.writeString(directory.resolve("sub/b"), "b");
    Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc/passwd"));
    assertThat(shell.run("cp", directory.toString(), ":d")).isZero();
    assertThat(shell.out()).contains("Copied 2 files, 2 B");
    assertThat(shell.err()).contains("link");
  }

  @Test
  void cp_download_replacesTheFileAsAWhole() throws IOException {
    server.on("GET", FILES + "/content", 200, "bytes");
    Path file = home.resolve("x");
    assertThat(shell.run("cp", ":data/x", file.toString())).isZero();
    assertThat(file).hasContent("bytes");
    assertThat(shell.run("cp", ":data/x", "-")).isZero();
    assertThat(shell.out()).contains("bytes");
    server.reject("GET", FILES + "/content", 404, "NOT_FOUND", "no such file");
    assertThat(shell.run("cp", ":data/y", home.resolve("y").toString())).isNotZero();
    try (Stream<Path> files = Files.list(home)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith(".trainyard-download") || name.equals("y"));
    }
  }

  @Test
  void cp_bothOrNoPathOnTheServer_isRejected() {
    assertThat(shell.run("cp", ":a", ":b")).isNotZero();
    assertThat(shell.run("cp", "a", "b")).isNotZero();
    assertThat(shell.err()).contains("exactly one");
  }
}
