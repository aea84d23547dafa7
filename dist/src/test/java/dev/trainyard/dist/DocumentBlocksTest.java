package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.trainyard.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Checks the code blocks of the documents. {@code DocumentCommandsIT} executes those that are
 * marked {@code run}; the others are checked here without executing them.
 */
class DocumentBlocksTest {
  private static final Set<String> MARKS =
      Set.of(
          "sh run", // executed by DocumentCommandsIT
          "python run",
          "sh check", // needs root, another host, another distribution or a certain job
          "console", // commands after "$ " with their output
          "python", // needs a package
          "js",
          "ini", // systemd units
          "nginx",
          "json",
          "yaml",
          "properties",
          "text");

  /** Blocks without such a mark: the file and the first line, and why. */
  private static final Map<String, String> UNMARKED =
      Map.of(
          "docs/api.md API=$SERVER/api/v3", "executed by DocumentExampleTest",
          "docs/api.md PAI=$SERVER/rest-server/api/v2", "executed by ExampleTest",
          "docs/operations.md trainyard vc create lab --description \"Vision lab\" --cpus 32",
              "executed by TeamServiceIT");

  /** Words in capital letters that a reader does not have to replace. */
  private static final Pattern LITERAL =
      Pattern.compile(
          "-X (PUT|POST|DELETE)|,DESC|\"STOP\"|ALTER DATABASE \\w+ RENAME TO"
              + "|CREATE (USER \\w+ PASSWORD|DATABASE \\w+ OWNER)");

  /** A word in capital letters, except variables, their assignments and parts of a path. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile("(?<![\\w$/.{:-])[A-Z][A-Z_-]{2,}(?![\\w=/.:-])");

  private static List<DocumentBlock> blocks;

  @TempDir Path directory;

  @BeforeAll
  static void read() throws IOException {
    blocks = DocumentBlock.all();
  }

  private static Stream<DocumentBlock> blocks(String mark) {
    return blocks.stream().filter(block -> block.mark().equals(mark));
  }

  @Test
  void blocks_areMarkedOrListed() {
    List<String> unmarked =
        blocks.stream()
            .filter(block -> !MARKS.contains(block.mark()))
            .map(block -> block.file() + " " + block.text().lines().findFirst().orElse(""))
            .toList();
    assertThat(unmarked).containsExactlyInAnyOrderElementsOf(UNMARKED.keySet());
  }

  @Test
  void shell_hasValidSyntax() throws Exception {
    for (DocumentBlock block : blocks) {
      if (!block.shell().isEmpty()) {
        check(block, block.shell(), "bash", "-n");
      }
    }
  }

  /** A reader pastes a block, so it contains nothing that must be replaced before. */
  @Test
  void shell_hasNoPlaceholders() {
    for (DocumentBlock block : blocks) {
      for (String line : block.shell().lines().toList()) {
        String code = LITERAL.matcher(line.replaceAll("(^|\\s)#.*", "")).replaceAll("");
        assertThat(PLACEHOLDER.matcher(code).results().map(MatchResult::group).toList())
            .as(block + " " + line)
            .isEmpty();
      }
    }
  }

  @Test
  void python_hasValidSyntax() throws Exception {
    assumeTrue(exists("python3"), "no python3");
    for (DocumentBlock block : blocks) {
      if (block.mark().startsWith("python")) {
        check(block, block.text(), "python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())");
      }
    }
  }

  @Test
  void javaScript_hasValidSyntax() throws Exception {
    assumeTrue(exists("node"), "no node");
    for (DocumentBlock block : blocks("js").toList()) {
      Path script = Files.writeString(directory.resolve("block.js"), block.text());
      check(block, "", "node", "--check", script.toString());
    }
  }

  /** An option or a command that does not exist, or a missing argument, is an error. */
  @Test
  void commandLines_areAccepted() {
    CommandLine commandLine = Cli.commandLine(Trainyard.environment(Map.of()));
    int count = 0;
    for (DocumentBlock block : blocks) {
      for (List<String> words : block.trainyardCommands()) {
        count++;
        assertThatCode(() -> commandLine.parseArgs(words.toArray(String[]::new)))
            .as(block + " " + words)
            .doesNotThrowAnyException();
      }
    }
    assertThat(count).isGreaterThan(50);
  }

  /** A command in a sentence may lack arguments, but must have only options that exist. */
  @Test
  void inlineCommands_haveKnownOptions() throws IOException {
    CommandLine commandLine = Cli.commandLine(Trainyard.environment(Map.of()));
    int count = 0;
    for (DocumentBlock code : DocumentBlock.inlineCommands()) {
      for (List<String> words : code.trainyardCommands()) {
        count++;
        try {
          commandLine.parseArgs(words.toArray(String[]::new));
        } catch (CommandLine.UnmatchedArgumentException e) {
          assertThat(words)
              .as(code + ": " + e.getMessage())
              .anyMatch(DocumentBlocksTest::isPattern);
        } catch (CommandLine.ParameterException e) {
          assertThat(e)
              .as(code + " " + words)
              .hasMessageMatching("(Missing required|Invalid value).*");
        }
      }
    }
    assertThat(count).isGreaterThan(200);
  }

  private static boolean isPattern(String word) {
    return word.startsWith("[") || word.equals("…") || word.matches("COMMAND|CHALLENGE");
  }

  @Test
  void systemdUnits_areValid() throws Exception {
    assertThat(blocks("ini")).hasSizeGreaterThanOrEqualTo(3);
    Path service = directory.resolve("trainyard.service");
    Files.writeString(service, "[Service]\nExecStart=/bin/true\n");
    for (DocumentBlock block : blocks("ini").toList()) {
      assertThat(block.text()).as(block.toString()).startsWith("# /etc/systemd/system/");
      Path unit = directory.resolve(Path.of("/etc/systemd/system").relativize(block.path()));
      Files.createDirectories(unit.getParent());
      Files.writeString(unit, block.text().replace("/opt/trainyard/trainyard", "/bin/true"));
    }
    assumeTrue(exists("systemd-analyze"), "no systemd-analyze");
    try (Stream<Path> units = Files.list(directory)) {
      for (Path unit : units.filter(Files::isRegularFile).toList()) {
        ProcessBuilder analyze =
            new ProcessBuilder("systemd-analyze", "verify", "--man=no", unit.toString());
        analyze.environment().put("SYSTEMD_UNIT_PATH", directory + ":");
        Process process = analyze.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(unit + "\n" + output).isZero();
        assertThat(output).doesNotContain(directory + "/trainyard");
      }
    }
  }

  @Test
  void nginx_directivesAreComplete() {
    assertThat(blocks("nginx")).isNotEmpty();
    blocks("nginx")
        .forEach(
            block -> {
              Deque<String> open = new ArrayDeque<>();
              for (String line : block.text().lines().map(String::strip).toList()) {
                if (line.endsWith("{")) {
                  open.push(line);
                } else if (line.equals("}")) {
                  open.pop();
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                  assertThat(line).as(block.toString()).endsWith(";").contains(" ");
                }
              }
              assertThat(open).as(block.toString()).isEmpty();
            });
  }

  private static boolean exists(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static void check(DocumentBlock block, String input, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var writer = process.outputWriter(StandardCharsets.UTF_8)) {
      writer.write(input);
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(block + "\n" + output).isZero();
  }
}
