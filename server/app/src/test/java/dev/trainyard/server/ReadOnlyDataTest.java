package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.AppException;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts a server on a disk that is mounted read-only, for example after a disk error. */
class ReadOnlyDataTest {
  @TempDir Path directory;
  private Path disk;

  @BeforeEach
  void createDirectory() throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    Requirement.require("root", root, "only root can mount a directory read-only");
    disk = Files.createDirectory(directory.resolve("disk"));
  }

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) {
      new ProcessBuilder("umount", "--lazy", disk.toString()).start().waitFor();
    }
  }

  private void mountReadOnly() throws Exception {
    run("mount", "--bind", disk.toString(), disk.toString());
    run("mount", "-o", "remount,bind,ro", disk.toString());
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + ": " + output).isZero();
  }

  private static Server start(Path data, String... more) {
    Map<String, String> options = new HashMap<>(Map.of("data", data.toString(), "port", "0"));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    Settings settings = SettingsReader.read(options, Map.of());
    return Server.start(settings, Optional.empty(), List.of());
  }

  private static void assertRejected(String file, String remedy, Path data, String... more) {
    assertThatThrownBy(() -> start(data, more).close())
        .isInstanceOf(AppException.class)
        .hasMessageContaining(file)
        .hasMessageContaining("Read-only file system")
        .hasMessageContaining(remedy);
  }

  @Test
  void start_dataDirectoryReadOnly_oneSentenceWithTheRemedy() throws Exception {
    Path used = disk.resolve("used");
    start(used).close();
    Files.createDirectory(disk.resolve("empty"));
    mountReadOnly();
    String remedy = "whether its file system is full or mounted read-only";
    assertRejected("used/lock cannot be used", remedy, used);
    assertRejected("empty/lock cannot be used", remedy, disk.resolve("empty"));
    assertRejected("the data directory " + disk.resolve("new"), "--data", disk.resolve("new"));
  }

  @Test
  void start_databaseFileReadOnly_oneSentenceWithTheRemedy() throws Exception {
    String url = "jdbc:sqlite:" + disk.resolve("shared.db");
    Path data = directory.resolve("data");
    start(data, "db", url).close();
    mountReadOnly();
    assertRejected(
        "shared.db cannot be opened", "whether the disk is mounted read-only", data, "db", url);
  }
}
