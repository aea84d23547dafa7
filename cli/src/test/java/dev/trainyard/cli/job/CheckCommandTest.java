package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.TestShell;
import dev.trainyard.cli.api.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  private static final String GOOD =
      "{\"jobName\":\"a\",\"image\":\"b\",\"taskRoles\":[{\"name\":\"c\",\"command\":\"d\"}]}";

  @TempDir private Path home;
  private TestShell shell;

  @BeforeEach
  void writeFiles() throws IOException {
    shell = new TestShell(home);
    Files.createDirectory(home.resolve("jobs"));
    Files.writeString(home.resolve("jobs/good.json"), GOOD);
    Files.writeString(home.resolve("jobs/bad.yaml"), "protocolVersion: 3\nname: a\ntype: job\n");
    Files.writeString(home.resolve("jobs/readme.md"), "no job");
  }

  private Json printed() throws IOException {
    return Json.parse(shell.out().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void check_directory_json() throws IOException {
    Files.writeString(home.resolve("jobs/old.jsonc"), "// by hand\n" + GOOD + " /* end */\n");
    assertThat(shell.run("check", home.resolve("jobs").toString(), "--json"))
        .isEqualTo(ExitCode.FAILED);
    List<?> files = (List<?>) printed().value();
    assertThat(files).hasSize(3);
    Json bad = new Json(files.getFirst());
    Json good = new Json(files.get(1));
    Json commented = new Json(files.getLast());
    assertThat(commented.string("file")).isEqualTo("old.jsonc");
    assertThat(commented.isTrue("valid")).isTrue();
    assertThat(bad.fields().keySet()).containsExactly("file", "valid", "format", "problems");
    assertThat(bad.string("file")).isEqualTo("bad.yaml");
    assertThat(bad.isTrue("valid")).isFalse();
    assertThat(bad.string("format")).isEqualTo("openpai-v2");
    assertThat(bad.list("problems")).hasSize(2);
    Json problem = bad.list("problems").getLast();
    assertThat(problem.fields().keySet()).containsExactly("path", "message", "line", "column");
    assertThat(problem.string("path")).isEqualTo("protocolVersion");
    assertThat(problem.number("line")).isEqualTo(1);
    assertThat(problem.number("column")).isEqualTo(18);
    assertThat(good.string("file")).isEqualTo("good.json");
    assertThat(good.isTrue("valid")).isTrue();
    assertThat(good.list("problems")).isEmpty();
  }

  @Test
  void check_file_printsProblems() {
    String good = home.resolve("jobs/good.json").toString();
    String bad = home.resolve("jobs/bad.yaml").toString();
    assertThat(shell.run("check", good)).isEqualTo(ExitCode.OK);
    assertThat(shell.out()).isEqualTo(good + ": no problems (openpai-v1)\n");
    assertThat(shell.run("check", bad)).isEqualTo(ExitCode.FAILED);
    assertThat(shell.out())
        .contains(bad + ":1:18 protocolVersion: expected 2, found 3\n")
        .contains(bad + ":1:1 taskRoles: missing field taskRoles\n");
    assertThat(shell.run("check", bad, "--lang", "zh")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.out()).contains("应为 2，实际为 3");
    assertThat(shell.run("check", home.resolve("jobs").toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.out()).endsWith("2 files, 1 with problems\n");
  }

  @Test
  void check_standardInput() throws IOException {
    shell.stdin("nonsense");
    assertThat(shell.run("check", "-", "--json")).isEqualTo(ExitCode.FAILED);
    Json file = new Json(((List<?>) printed().value()).getFirst());
    assertThat(file.string("file")).isEqualTo("<stdin>");
    assertThat(file.at("format").isPresent()).isFalse();
  }

  @Test
  void check_noFiles() throws IOException {
    assertThat(shell.run("check", home.resolve("none").toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("none");
    Files.createDirectory(home.resolve("empty"));
    assertThat(shell.run("check", home.resolve("empty").toString())).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("no job files");
  }

  @Test
  void convert_v1() throws IOException {
    Path file = home.resolve("jobs/good.json");
    assertThat(shell.run("convert", file.toString(), "--to", "v2")).isEqualTo(ExitCode.OK);
    assertThat(shell.out()).startsWith("protocolVersion: 2\nname: a\ntype: job\n");
    Path converted = Files.writeString(home.resolve("converted.yaml"), shell.out());
    assertThat(shell.run("check", converted.toString())).isEqualTo(ExitCode.OK);
    assertThat(shell.run("convert", file.toString(), "--to", "v2", "--json")).isZero();
    assertThat(printed().at("taskRoles").at("c").at("commands").value())
        .isEqualTo(List.of("set +o errexit +o nounset +o pipefail", "d"));
  }

  @Test
  void convert_v2_isUnchanged() {
    String text =
        """
        # mine
        protocolVersion: 2
        name: a
        type: job
        secrets: {x: y}
        prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
        taskRoles:
          w: {dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: ['']}
        """;
    assertThat(shell.stdin(text).run("convert", "-", "--to", "v2")).isEqualTo(ExitCode.OK);
    assertThat(shell.out()).isEqualTo(text);
  }

  @Test
  void convert_invalidFile() {
    String bad = home.resolve("jobs/bad.yaml").toString();
    assertThat(shell.run("convert", bad, "--to", "v2")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("nothing was converted").contains("expected 2, found 3");
    assertThat(shell.out()).isEmpty();
    assertThat(shell.run("convert", bad, "--to", "v9")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("v9");
    assertThat(shell.run("convert", bad)).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void convert_lossyFile_printsNotes() throws IOException {
    Path file = home.resolve("dots.json");
    Files.writeString(file, GOOD.replace("\"a\"", "\"a.b\""));
    assertThat(shell.run("convert", file.toString(), "--to", "v2")).isEqualTo(ExitCode.OK);
    assertThat(shell.err()).contains("note: ").contains("a-b");
    assertThat(shell.run("convert", file.toString(), "--to", "v2", "--json")).isZero();
    assertThat(printed().fields()).contains(Map.entry("name", "a-b"));
  }
}
