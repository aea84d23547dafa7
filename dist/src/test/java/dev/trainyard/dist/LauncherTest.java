package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launcher with scripts in place of the JDK and Maven that record their arguments. */
class LauncherTest {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  @TempDir private Path temp;
  private Path home;
  private Path jdk;
  private Path bin;

  private record Outcome(int exit, String out, String err) {}

  @BeforeEach
  void prepare() throws IOException {
    home = Files.createDirectories(temp.resolve("a clone with spaces"));
    jdk = Files.createDirectories(temp.resolve("some jdk"));
    bin = Files.createDirectories(temp.resolve("bin"));
    Files.copy(Path.of("../trainyard"), home.resolve("trainyard"));
    script(home.resolve("trainyard"), Files.readString(home.resolve("trainyard")));
    source("pom.xml");
    source("core/model/src/main/java/A.java");
    jdk("25.0.1");
    script(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        for word in "$@"; do
          case $word in -XX:AOTCacheOutput=*) echo x >"${word#*=}"; training=1 ;; esac
        done
        [ -z "${training-}" ] || exit "$(cat "%1$s" 2>/dev/null || echo 0)"
        printf '%%s\\n' "$@"
        """
            .formatted(temp.resolve("training-exit")));
    script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    script(
        bin.resolve("mvn"),
        """
        #!/bin/sh
        echo built >>"%1$s"
        [ -e "%2$s" ] && { echo "[ERROR] /x/A.java:[1,1] ';' expected"; exit 1; }
        mkdir -p "%3$s" && echo jar >"%3$s/trainyard.jar"
        """
            .formatted(
                temp.resolve("builds"), temp.resolve("broken"), home.resolve("dist/target")));
  }

  private void jdk(String version) throws IOException {
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(
        jdk.resolve("release"),
        "IMPLEMENTOR=\"x\"\nJAVA_RUNTIME_VERSION=\"%1$s+9\"\nJAVA_VERSION=\"%1$s\"\n"
            .formatted(version));
  }

  private void source(String name) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "x");
    for (Path path = file; path.startsWith(home); path = path.getParent()) {
      Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
    }
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Process start(String language, String launcher, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin + ":/usr/bin:/bin");
    builder.environment().put("HOME", temp.toString());
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("LANG", language);
    builder.redirectError(Files.createTempFile(temp, "err", "").toFile());
    builder.redirectOutput(Files.createTempFile(temp, "out", "").toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    outputs.put(
        process,
        List.of(builder.redirectOutput().file().toPath(), builder.redirectError().file().toPath()));
    return process;
  }

  private final java.util.Map<Process, List<Path>> outputs = new java.util.HashMap<>();

  private Outcome end(Process process) throws IOException, InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    List<Path> files = outputs.get(process);
    return new Outcome(
        process.exitValue(), Files.readString(files.get(0)), Files.readString(files.get(1)));
  }

  private Outcome run(String... args) throws IOException, InterruptedException {
    return end(start("en_US.UTF-8", home.resolve("trainyard").toString(), args));
  }

  private long builds() throws IOException {
    Path file = temp.resolve("builds");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  @Test
  void firstUse_buildsTrainsAndRuns() throws IOException, InterruptedException {
    Outcome outcome = run("ls", "an argument");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.err()).contains("Building Trainyard");
    assertThat(outcome.out().lines())
        .endsWith("-jar", home.resolve("dist/target/trainyard.jar").toString(), "ls", "an argument")
        .contains("-XX:AOTCache=" + home.resolve("dist/target/trainyard-25.0.1+9.aot"));
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void commandName_launcherNotInPath_isItsPath() throws IOException, InterruptedException {
    String byPath = "-Dtrainyard.command=" + home.resolve("trainyard");
    assertThat(run("ls").out().lines()).contains(byPath);
    script(bin.resolve("trainyard"), "#!/bin/sh\n");
    assertThat(run("ls").out().lines()).doesNotContain(byPath).contains("ls");
  }

  @Test
  void secondUse_buildsNothing() throws IOException, InterruptedException {
    run("ls");
    Outcome second = run("ls");
    assertThat(second.err()).isEmpty();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void changedOrRemovedSource_buildsAgain() throws IOException, InterruptedException {
    run("ls");
    Path source = home.resolve("core/model/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(builds()).isEqualTo(2);
    Files.delete(source);
    Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(builds()).isEqualTo(3);
  }

  @Test
  void changedExample_buildsAgain() throws IOException, InterruptedException {
    source("examples/hello.json");
    run("ls");
    Files.setLastModifiedTime(
        home.resolve("examples/hello.json"), FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void concurrentStarts_buildOnce() throws IOException, InterruptedException {
    Process one = start("C", home.resolve("trainyard").toString(), "ls");
    Process other = start("C", home.resolve("trainyard").toString(), "ls");
    assertThat(end(one).exit()).isZero();
    assertThat(end(other).exit()).isZero();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void symbolicLink_isFollowed() throws IOException, InterruptedException {
    Path link = Files.createSymbolicLink(bin.resolve("ty"), home.resolve("trainyard"));
    Path second = Files.createSymbolicLink(temp.resolve("link"), Path.of("bin/ty"));
    assertThat(end(start("C", link.toString(), "version")).exit()).isZero();
    assertThat(end(start("C", second.toString(), "version")).out())
        .contains(home.resolve("dist/target/trainyard.jar").toString());
    assertThat(end(start("C", "./link", "version")).exit()).isZero();
  }

  @Test
  void failedBuild_showsErrorAndIsRetried() throws IOException, InterruptedException {
    Files.createFile(temp.resolve("broken"));
    Outcome outcome = run("ls");
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.err()).contains("The build failed", "A.java:[1,1] ';' expected");
    assertThat(outcome.out()).isEmpty();
    Files.delete(temp.resolve("broken"));
    assertThat(run("ls").exit()).isZero();
  }

  @Test
  void failedTraining_isReportedOnceAndCommandsWork() throws IOException, InterruptedException {
    Files.writeString(temp.resolve("training-exit"), "1");
    Outcome first = run("ls");
    assertThat(first.exit()).isZero();
    assertThat(first.err()).contains("Failed to create the startup cache");
    assertThat(first.out()).doesNotContain("AOTCache");
    Outcome second = run("ls");
    assertThat(second.err()).isEmpty();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void otherJdk_createsItsOwnCache() throws IOException, InterruptedException {
    run("ls");
    jdk("26");
    assertThat(run("ls").out()).contains("trainyard-26+9.aot");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void server_getsServerFlags() throws IOException, InterruptedException {
    assertThat(run("up", "--port", "1").out())
        .contains("-Xmx1g", "-XX:+ExitOnOutOfMemoryError", "trainyard-25.0.1+9-server.aot");
    assertThat(run("up", "--detach").out()).contains("-Xmx512m");
    assertThat(run("ls").out()).contains("-Xmx512m", "trainyard-25.0.1+9.aot");
  }

  @Test
  void noJdk_oneSentenceInTheUsersLanguage() throws IOException, InterruptedException {
    String launcher = Files.readString(home.resolve("trainyard"));
    script(home.resolve("trainyard"), launcher.replace("needed=25", "needed=999"));
    Outcome english = run("ls");
    assertThat(english.exit()).isEqualTo(1);
    assertThat(english.err().lines()).singleElement().asString().contains("needs a JDK 999");
    Outcome chinese = end(start("zh_CN.UTF-8", home.resolve("trainyard").toString(), "ls"));
    assertThat(chinese.err()).contains("需要 JDK 999");
  }

  @Test
  void noMaven_oneSentence() throws IOException, InterruptedException {
    Files.delete(bin.resolve("mvn"));
    String launcher = Files.readString(home.resolve("trainyard"));
    script(home.resolve("trainyard"), launcher.replace("command -v mvn", "command -v no-such-mvn"));
    Outcome outcome = run("ls");
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.err().lines()).singleElement().asString().contains("Maven");
  }

  @Test
  void terminatedDuringBuild_terminatesMavenBeforeReleasingTheLock()
      throws IOException, InterruptedException {
    Path pid = temp.resolve("maven-pid");
    script(bin.resolve("mvn"), "#!/bin/sh\necho $$ >'%s'\nexec sleep 600\n".formatted(pid));
    Process launcher = start("C", home.resolve("trainyard").toString(), "ls");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.exists(pid) || Files.size(pid) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
    long maven = Long.parseLong(Files.readString(pid).strip());
    launcher.destroy();
    assertThat(end(launcher).exit()).isEqualTo(143);
    assertThat(ProcessHandle.of(maven).filter(ProcessHandle::isAlive)).isEmpty();
  }
}
