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
  private Path checkout;
  private Path jdk;
  private Path bin;

  private record Result(int exitCode, String out, String err) {}

  @BeforeEach
  void prepare() throws IOException {
    checkout = Files.createDirectories(temp.resolve("a clone with spaces"));
    jdk = Files.createDirectories(temp.resolve("some jdk"));
    bin = Files.createDirectories(temp.resolve("bin"));
    Files.copy(Path.of("../trainyard"), checkout.resolve("trainyard"));
    writeScript(checkout.resolve("trainyard"), Files.readString(checkout.resolve("trainyard")));
    createSource("pom.xml");
    createSource("core/model/src/main/java/A.java");
    writeRelease("25.0.1");
    writeScript(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        for word in "$@"; do
          case $word in -XX:AOTCacheOutput=*) echo x >"${word#*=}"; training=1 ;; esac
        done
        [ -z "${training-}" ] || exit "$(cat "%1$s" 2>/dev/null || echo 0)"
        printf '%%s\\n' "$@"
        printf 'locale=%%s language=%%s\\n' "${LC_ALL-}" "${TRAINYARD_LANG-}" >"%2$s"
        """
            .formatted(temp.resolve("training-exit"), temp.resolve("locale")));
    writeScript(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    writeScript(
        bin.resolve("mvn"),
        """
        #!/bin/sh
        echo built >>"%1$s"
        [ -e "%2$s" ] && { echo "[ERROR] /x/A.java:[1,1] ';' expected"; exit 1; }
        mkdir -p "%3$s" && echo jar >"%3$s/trainyard.jar"
        """
            .formatted(
                temp.resolve("builds"), temp.resolve("broken"), checkout.resolve("dist/target")));
  }

  private void writeRelease(String version) throws IOException {
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(
        jdk.resolve("release"),
        "IMPLEMENTOR=\"x\"\nJAVA_RUNTIME_VERSION=\"%1$s+9\"\nJAVA_VERSION=\"%1$s\"\n"
            .formatted(version));
  }

  private void createSource(String name) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "x");
    for (Path path = file; path.startsWith(checkout); path = path.getParent()) {
      Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
    }
  }

  private static void writeScript(Path file, String text) throws IOException {
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

  private Result awaitEnd(Process process) throws IOException, InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    List<Path> files = outputs.get(process);
    return new Result(
        process.exitValue(), Files.readString(files.get(0)), Files.readString(files.get(1)));
  }

  private Result run(String... args) throws IOException, InterruptedException {
    return awaitEnd(start("en_US.UTF-8", checkout.resolve("trainyard").toString(), args));
  }

  private long countBuilds() throws IOException {
    Path file = temp.resolve("builds");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  @Test
  void localeNotInstalled_argumentsAreUtf8AndTheLanguageIsKept()
      throws IOException, InterruptedException {
    String launcher = checkout.resolve("trainyard").toString();
    Result chinese = awaitEnd(start("zh_XX.UTF-8", launcher, "ls", "--name", "训练"));
    assertThat(chinese.out()).contains("训练");
    assertThat(temp.resolve("locale")).hasContent("locale=C.UTF-8 language=zh\n");
    awaitEnd(start("C", launcher, "ls"));
    assertThat(temp.resolve("locale")).hasContent("locale=C.UTF-8 language=\n");
    awaitEnd(start("C.UTF-8", launcher, "ls"));
    assertThat(temp.resolve("locale")).hasContent("locale= language=\n");
  }

  @Test
  void firstStart_buildsTrainsAndRuns() throws IOException, InterruptedException {
    Result result = run("ls", "an argument");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).contains("Building Trainyard");
    assertThat(result.out().lines())
        .endsWith(
            "-jar", checkout.resolve("dist/target/trainyard.jar").toString(), "ls", "an argument")
        .contains("-XX:AOTCache=" + checkout.resolve("dist/target/trainyard-25.0.1+9.aot"));
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void commandName_launcherNotInPath_isItsPath() throws IOException, InterruptedException {
    String commandProperty = "-Dtrainyard.command=" + checkout.resolve("trainyard");
    assertThat(run("ls").out().lines()).contains(commandProperty);
    writeScript(bin.resolve("trainyard"), "#!/bin/sh\n");
    assertThat(run("ls").out().lines()).doesNotContain(commandProperty).contains("ls");
  }

  @Test
  void secondStart_doesNotBuild() throws IOException, InterruptedException {
    run("ls");
    Result secondResult = run("ls");
    assertThat(secondResult.err()).isEmpty();
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void changedOrRemovedSource_buildsAgain() throws IOException, InterruptedException {
    run("ls");
    Path source = checkout.resolve("core/model/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(countBuilds()).isEqualTo(2);
    Files.delete(source);
    Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(countBuilds()).isEqualTo(3);
  }

  @Test
  void changedExample_buildsAgain() throws IOException, InterruptedException {
    createSource("examples/hello.json");
    run("ls");
    Files.setLastModifiedTime(
        checkout.resolve("examples/hello.json"), FileTime.from(Instant.now().plusSeconds(60)));
    run("ls");
    assertThat(countBuilds()).isEqualTo(2);
  }

  @Test
  void concurrentStarts_buildOnce() throws IOException, InterruptedException {
    Process firstProcess = start("C", checkout.resolve("trainyard").toString(), "ls");
    Process secondProcess = start("C", checkout.resolve("trainyard").toString(), "ls");
    assertThat(awaitEnd(firstProcess).exitCode()).isZero();
    assertThat(awaitEnd(secondProcess).exitCode()).isZero();
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void symbolicLink_isFollowed() throws IOException, InterruptedException {
    Path link = Files.createSymbolicLink(bin.resolve("ty"), checkout.resolve("trainyard"));
    Path secondLink = Files.createSymbolicLink(temp.resolve("link"), Path.of("bin/ty"));
    assertThat(awaitEnd(start("C", link.toString(), "version")).exitCode()).isZero();
    assertThat(awaitEnd(start("C", secondLink.toString(), "version")).out())
        .contains(checkout.resolve("dist/target/trainyard.jar").toString());
    assertThat(awaitEnd(start("C", "./link", "version")).exitCode()).isZero();
  }

  @Test
  void failedBuild_showsErrorAndIsRetried() throws IOException, InterruptedException {
    Files.createFile(temp.resolve("broken"));
    Result result = run("ls");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("The build failed", "A.java:[1,1] ';' expected");
    assertThat(result.out()).isEmpty();
    Files.delete(temp.resolve("broken"));
    assertThat(run("ls").exitCode()).isZero();
  }

  @Test
  void failedTraining_isReportedOnceAndCommandsWork() throws IOException, InterruptedException {
    Files.writeString(temp.resolve("training-exit"), "1");
    Result firstResult = run("ls");
    assertThat(firstResult.exitCode()).isZero();
    assertThat(firstResult.err()).contains("Failed to create the startup cache");
    assertThat(firstResult.out()).doesNotContain("AOTCache");
    Result secondResult = run("ls");
    assertThat(secondResult.err()).isEmpty();
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void otherJdk_createsItsOwnCache() throws IOException, InterruptedException {
    run("ls");
    writeRelease("26");
    assertThat(run("ls").out()).contains("trainyard-26+9.aot");
    assertThat(countBuilds()).isEqualTo(1);
  }

  @Test
  void server_getsServerFlags() throws IOException, InterruptedException {
    assertThat(run("up", "--port", "1").out())
        .contains("-Xmx1g", "-XX:+ExitOnOutOfMemoryError", "trainyard-25.0.1+9-server.aot");
    assertThat(run("up", "--detach").out()).contains("-Xmx512m");
    assertThat(run("ls").out()).contains("-Xmx512m", "trainyard-25.0.1+9.aot");
  }

  @Test
  void noJdk_printsOneSentenceInUsersLanguage() throws IOException, InterruptedException {
    String launcher = Files.readString(checkout.resolve("trainyard"));
    writeScript(checkout.resolve("trainyard"), launcher.replace("needed=25", "needed=999"));
    Result englishResult = run("ls");
    assertThat(englishResult.exitCode()).isEqualTo(1);
    assertThat(englishResult.err().lines()).singleElement().asString().contains("needs a JDK 999");
    Result chineseResult =
        awaitEnd(start("zh_CN.UTF-8", checkout.resolve("trainyard").toString(), "ls"));
    assertThat(chineseResult.err()).contains("需要 JDK 999");
  }

  @Test
  void noMaven_printsOneSentence() throws IOException, InterruptedException {
    Files.delete(bin.resolve("mvn"));
    String launcher = Files.readString(checkout.resolve("trainyard"));
    writeScript(
        checkout.resolve("trainyard"),
        launcher.replace("command -v mvn", "command -v no-such-mvn"));
    Result result = run("ls");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().lines()).singleElement().asString().contains("Maven");
  }

  @Test
  void terminatedDuringBuild_terminatesMavenBeforeReleasingTheLock()
      throws IOException, InterruptedException {
    Path pidFile = temp.resolve("maven-pid");
    writeScript(
        bin.resolve("mvn"), "#!/bin/sh\necho $$ >'%s'\nexec sleep 600\n".formatted(pidFile));
    Process launcher = start("C", checkout.resolve("trainyard").toString(), "ls");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.exists(pidFile) || Files.size(pidFile) == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
    long mavenPid = Long.parseLong(Files.readString(pidFile).strip());
    launcher.destroy();
    assertThat(awaitEnd(launcher).exitCode()).isEqualTo(143);
    assertThat(ProcessHandle.of(mavenPid).filter(ProcessHandle::isAlive)).isEmpty();
  }
}
