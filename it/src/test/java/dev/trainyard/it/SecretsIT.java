package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Traces;
import dev.trainyard.it.Trainyard.Result;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The value of a secret is visible only to the tasks of its job: before, during and after a run.
 */
// Does not run concurrently with containers, because their mounts appear and disappear; see
// docs/operations.md.
@ResourceLock("docker")
class SecretsIT extends NeedsSandbox {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @TempDir Path directory;
  private final String value = random();
  private final Traces traces = Traces.of(value);

  /** Returns a value with characters that are escaped in URLs and in YAML. */
  private static String random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return "a+b/c: #" + HexFormat.of().formatHex(bytes) + "==?&";
  }

  private String jobFile() {
    return """
    protocolVersion: 2
    name: quiet
    type: job
    prerequisites:
      - {type: dockerimage, name: image, uri: 'ubuntu:24.04', auth: {username: me, password: <% $secrets.token %>}}
    secrets:
      token: 'VALUE'
    parameters: {twice: '<% $secrets.token %>'}
    taskRoles:
      main:
        dockerImage: image
        resourcePerInstance: {cpu: 1, memoryMB: 128, gpu: 0}
        commands:
          - printf %s '<% $secrets.token %>' | sha256sum
          - printf %s '<% $parameters.twice %>' | sha256sum
          - grep -c token "${0%/*}/secrets.yaml"
          - echo ready
          - while [ ! -e "$HOME/go" ]; do sleep 0.05; done
          - printf %s '<% $secrets.token %>' | sha256sum
    """
        .replace("VALUE", value);
  }

  private String hash() throws Exception {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)) + "  -";
  }

  /** Searches all files and responses of the server, and its processes, for the secret. */
  private void assertSecretsNowhere(Trainyard yard) throws Exception {
    traces.assertNoneIn(yard.data()).assertNoneInProcesses();
    Path errors = yard.data().resolveSibling(yard.data().getFileName() + ".err");
    traces.assertNotIn("output of the server", Files.readAllBytes(errors));
    String job = "/api/v3/jobs/quiet";
    for (String path :
        List.of(
            "/api/v3/jobs",
            job,
            job + "/config",
            job + "/attempts",
            job + "/attempts/1",
            job + "/events",
            job + "/logs/-/-/stdout",
            job + "/logs/-/-/stderr",
            "/api/v3/status",
            "/api/v3/nodes",
            "/api/v3/users",
            "/api/v3/cleanup",
            "/metrics")) {
      var response = yard.request("GET", path, "");
      traces.assertNotIn(path, response.body().getBytes(StandardCharsets.UTF_8));
      traces.assertNotIn(path, response.headers().toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private void searchArchive(Trainyard yard, String name) throws Exception {
    Path archive = directory.resolve(name);
    Result backup = yard.run("backup", archive.toString(), "--with-logs", "--with-homes");
    assertThat(backup.exitCode()).as(backup.toString()).isZero();
    byte[] content;
    try (InputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
      content = in.readAllBytes();
    }
    traces.assertNotIn("the backup", content);
    String text = new String(content, StandardCharsets.ISO_8859_1);
    assertThat(text).contains("db/job_secret/");
    for (String key : keys(yard.data())) {
      assertThat(text).doesNotContain(key);
    }
  }

  private static List<String> keys(Path data) throws IOException {
    return Files.readAllLines(data.resolve("secret-keys")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList();
  }

  private Trainyard start(Account account, Path data) throws Exception {
    return Trainyard.start(
        account, data, Map.of(), "--capacity", "cpu=1,memoryMB=1024", "--log-level", "debug");
  }

  private static void createGoFile(Account account, Path data) throws IOException {
    Path home = data.resolve("home/admin");
    Files.createFile(home.resolve("go"));
    account.takeOwnership(home);
  }

  private void runAndAssertSecretsHidden(Account account) throws Exception {
    Path data = directory.resolve("data");
    Path file = Files.writeString(directory.resolve("quiet.yaml"), jobFile());
    account.takeOwnership(directory);
    try (Trainyard yard = start(account, data)) {
      yard.submit(Trainyard.job("first", "until [ -e \"$HOME/free\" ]; do sleep 0.05; done"));
      yard.await("first", "RUNNING");
      Result submitted = yard.run("submit", file.toString());
      assertThat(submitted.exitCode()).as(submitted.toString()).isZero();
      assertThat(submitted.toString()).doesNotContain(value);
      yard.await("quiet", "WAITING");
      assertSecretsNowhere(yard);

      Files.createFile(data.resolve("home/admin/free"));
      yard.await("quiet", "RUNNING");
      awaitReady(yard);
      assertThat(yard.log("quiet", "stdout")).isEqualTo(hash() + "\n" + hash() + "\n1\nready\n");
      assertSecretsNowhere(yard);
      assertFoundByTheTask(data);
      assertThat(yard.run("show", "quiet", "--json").toString()).doesNotContain(value);
      List<String> before = keys(data);
      Result rotated = yard.run("secrets", "rotate", "--json");
      assertThat(rotated.json().get("resealed").asInt()).as(rotated.toString()).isEqualTo(1);
      assertThat(keys(data)).hasSize(1).doesNotContainAnyElementsOf(before);
      searchArchive(yard, "during.tar.gz");
      assertSecretsNowhere(yard);
      yard.kill();
      traces.assertNoneIn(data).assertNoneInProcesses();
    }
    try (Trainyard yard = start(account, data)) {
      assertThat(yard.await("quiet", "RUNNING", "SUCCEEDED").get("attempt").asInt()).isEqualTo(1);
      assertSecretsNowhere(yard);
      createGoFile(account, data);
      JsonNode ended = yard.await("quiet", "SUCCEEDED", "FAILED");
      assertThat(ended.get("state").asText()).as(ended.toString()).isEqualTo("SUCCEEDED");
      assertThat(yard.log("quiet", "stdout")).endsWith("ready\n" + hash() + "\n");
      assertSecretsNowhere(yard);
    }
    traces.assertNoneIn(data).assertNoneIn(SHARED_MEMORY);
  }

  /** Checks that the search works: it must find the secret in the task's in-memory file system. */
  private void assertFoundByTheTask(Path data) throws IOException {
    List<String> mounts = new ArrayList<>();
    for (long supervisor : Supervision.supervisors(data)) {
      ProcessHandle.of(supervisor)
          .orElseThrow()
          .descendants()
          .forEach(
              process -> {
                Path seen = Path.of("/proc", Long.toString(process.pid()));
                Path file = seen.resolve("root/usr/local/pai/secrets/secrets.yaml");
                try {
                  if (traces.isIn(Files.readAllBytes(file))) {
                    mounts.add(Files.readString(seen.resolve("mountinfo")));
                  }
                } catch (IOException e) {
                  // The process has no such file or has exited.
                }
              });
    }
    if (mounts.isEmpty()) {
      try (Stream<Path> shared = Files.walk(SHARED_MEMORY)) {
        assertThat(shared.filter(path -> path.endsWith("secrets.yaml"))).isNotEmpty();
      }
    }
    for (String mount : mounts) {
      assertThat(mount).containsPattern("/usr/local/pai/secrets ro[, ].* - tmpfs ");
    }
  }

  private static void awaitReady(Trainyard yard) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!yard.log("quiet", "stdout").endsWith("ready\n")) {
      assertThat(System.nanoTime()).as("ready").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void run_secretIsVisibleOnlyToItsTask() throws Exception {
    runAndAssertSecretsHidden(Account.current());
  }

  @Tag("long")
  @Test
  void run_serverOfAnOrdinaryUser_secretIsVisibleOnlyToItsTask() throws Exception {
    Assumptions.assumeTrue(ROOT, "same as the other test unless root runs the tests");
    runAndAssertSecretsHidden(Account.ordinary(directory));
  }

  @Test
  void run_withoutASandbox_secretIsVisibleOnlyToItsTask() throws Exception {
    runAndAssertSecretsHidden(Account.ordinary(directory).withoutNamespaces());
  }

  @Test
  void start_restoredWithoutKeys_reportsMissingKeys() throws Exception {
    Path data = directory.resolve("data");
    Path archive = directory.resolve("all.tar.gz");
    try (Trainyard yard = start(Account.current(), data)) {
      yard.submit(jobFile());
      yard.await("quiet", "RUNNING");
      createGoFile(Account.current(), data);
      yard.await("quiet", "SUCCEEDED");
      assertThat(yard.run("backup", archive.toString()).exitCode()).isZero();
    }
    Path other = directory.resolve("other");
    Result restored =
        Trainyard.command(Map.of(), "", "restore", archive.toString(), "--data", other.toString());
    assertThat(restored.exitCode()).as(restored.toString()).isZero();
    assertThat(restored.err()).contains("secrets of 1 job").contains("secret-keys");
    assertThat(restored.out()).contains("Start the server with: trainyard --data " + other + " up");
    assertThatThrownBy(() -> start(Account.current(), other).close())
        .isInstanceOf(Trainyard.StartFailed.class)
        .hasMessageContaining(other.resolve("secret-keys").toString());
    Path keys = Files.copy(data.resolve("secret-keys"), other.resolve("secret-keys"));
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> start(Account.current(), other).close())
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    start(Account.current(), other).close();
  }
}
