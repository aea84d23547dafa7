package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes the code blocks that are marked {@code run} in the documentation. One shell executes all
 * blocks of a document. {@code DocumentBlocksTest} checks all other blocks.
 */
class DocumentCommandsIT extends NeedsSandbox {
  private static final Pattern BLOCK =
      Pattern.compile("^```(sh|python) run\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    Requirement.require("python", succeeds("python3", "--version"), "no python3");
    Requirement.require("openssl", succeeds("openssl", "version"), "no openssl");
    trainyard =
        Trainyard.start(
            directory.resolve("data"), "--engine", "process", "--capacity", "cpu=8,memoryMB=8192");
    // A directory that looks like a clone of the repository, with a launcher that starts quickly.
    Path examples = Trainyard.CHECKOUT.resolve("examples").toRealPath();
    Files.createSymbolicLink(directory.resolve("examples"), examples);
    List<String> words = new ArrayList<>();
    Trainyard.commandLine().forEach(word -> words.add("'" + word + "'"));
    Path program = directory.resolve("trainyard");
    Files.writeString(program, "#!/bin/sh\nexec " + String.join(" ", words) + " \"$@\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  static List<String> documents() throws IOException {
    List<String> documents = new ArrayList<>();
    for (String part : List.of(".", "docs", "examples")) {
      try (Stream<Path> files = Files.list(Trainyard.CHECKOUT.resolve(part))) {
        for (Path file : files.filter(it -> it.toString().endsWith(".md")).sorted().toList()) {
          if (BLOCK.matcher(Files.readString(file)).find()) {
            documents.add(Trainyard.CHECKOUT.relativize(file).normalize().toString());
          }
        }
      }
    }
    return documents;
  }

  @ParameterizedTest
  @MethodSource("documents")
  void runBlocks_succeed(String document) throws Exception {
    StringBuilder script = new StringBuilder();
    Matcher block = BLOCK.matcher(Files.readString(Trainyard.CHECKOUT.resolve(document)));
    while (block.find()) {
      String code = block.group(2);
      script.append("set -x\n");
      script.append(
          block.group(1).equals("sh")
              ? code
              : "python3 - <<'END_OF_BLOCK'\n" + code + "END_OF_BLOCK\n");
    }
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-euo", "pipefail", "-c", script.toString());
    builder.directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH", directory + ":" + System.getenv("PATH"),
                "HOME", directory.resolve("home").toString(),
                "LC_ALL", "C.UTF-8",
                "DIRECTORY", directory.resolve("etc").toString(),
                "PYTHONDONTWRITEBYTECODE", "1",
                "SERVER", trainyard.url(),
                "TRAINYARD_DATA", trainyard.data().toString()));
    Process shell = builder.start();
    boolean ended = shell.waitFor(2, TimeUnit.MINUTES);
    shell.destroyForcibly();
    String printed = Files.readString(output);
    assertThat(ended).as(printed).isTrue();
    assertThat(shell.exitValue()).as(printed).isZero();
    if (document.endsWith("api.md")) {
      assertThat(printed).contains("hello-v2: succeeded", "SUCCEEDED 0");
    }
  }

  /** Deletes all objects, so that the next document can use the same names. */
  @AfterEach
  void removeAll() throws Exception {
    for (JsonNode job : list("jobs?limit=500", "jobs")) {
      String path = "/api/v3/jobs/" + job.get("id").asText();
      trainyard.request("POST", path + "/stop?graceSeconds=0", "");
      trainyard.await(job.get("id").asText(), "SUCCEEDED", "FAILED", "STOPPED");
      trainyard.request("DELETE", path, "");
    }
    for (String kind : List.of("users", "groups", "virtual-clusters")) {
      String field = kind.equals("virtual-clusters") ? "virtualClusters" : kind;
      for (JsonNode found : list(kind, field)) {
        // The responses are ignored, because built-in objects and admin, the last administrator,
        // cannot be deleted.
        String path = "/api/v3/" + kind + "/" + found.get("name").asText();
        trainyard.request("DELETE", path, "");
      }
    }
  }

  private static JsonNode list(String path, String field) throws Exception {
    return Trainyard.JSON
        .readTree(trainyard.request("GET", "/api/v3/" + path, "").body())
        .get(field);
  }
}
