package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitProgramTest {
  private static final Path SOURCES = Path.of("src/main/c");
  private static final int MACHINE_OFFSET = 18;

  @TempDir Path directory;

  /** 16 bits at this offset of an ELF file identify the processor architecture. */
  @ParameterizedTest
  @CsvSource({"init, amd64, 62", "init, arm64, 183", "enter, amd64, 62", "enter, arm64, 183"})
  void read_matchesArchitecture(String name, String architecture, int machineNumber)
      throws Exception {
    byte[] program = InitProgram.read(name, architecture);

    assertThat(program).startsWith(0x7F, 'E', 'L', 'F');
    assertThat(program[MACHINE_OFFSET] & 0xFF).isEqualTo(machineNumber);
    assertThat(program.length).isLessThan(20_000);
  }

  /**
   * Verifies that the binaries in the repository were built from this source: they contain the same
   * texts. The code itself may differ, because it depends on the compiler.
   */
  @ParameterizedTest
  @ValueSource(strings = {"init", "enter"})
  void source_buildsTheSameProgram(String name) throws Exception {
    boolean buildable = Files.isDirectory(SOURCES) && Files.exists(Path.of("/usr/bin/gcc"));
    Requirement.require("gcc", buildable, "gcc is not installed");
    String output = TestHost.run("sh", SOURCES.resolve("build.sh").toString(), "" + directory);
    assertThat(output).isEmpty();
    Path builtProgram = directory.resolve(name + "-amd64");
    Requirement.require("gcc", Files.exists(builtProgram), "unsupported architecture");
    String builtTexts = TestHost.run("strings", "-n", "8", builtProgram.toString());
    Path storedProgram = Files.write(directory.resolve("kept"), InitProgram.read(name, "amd64"));

    assertThat(
            builtTexts.lines().filter(line -> line.matches("[ -~]*[/:=\\[].*")).sorted().toList())
        .isNotEmpty()
        .isEqualTo(
            TestHost.run("strings", "-n", "8", storedProgram.toString())
                .lines()
                .filter(line -> line.matches("[ -~]*[/:=\\[].*"))
                .sorted()
                .toList());
  }
}
