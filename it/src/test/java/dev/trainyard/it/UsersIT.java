package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two users share one server; each user has a home directory and a stored session. */
class UsersIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"));
  }

  @AfterAll
  static void stop() {
    if (trainyard != null) {
      trainyard.close();
    }
  }

  private Result runAs(String user, String input, String... command) throws Exception {
    Path home = Files.createDirectories(directory.resolve("home-of-" + user));
    return Trainyard.command(
        Map.of(
            "HOME", home.toString(),
            "XDG_CONFIG_HOME", home.resolve(".config").toString(),
            "TRAINYARD_SERVER", trainyard.url(),
            "TRAINYARD_DATA", home.resolve("none").toString()),
        input,
        command);
  }

  private void signUp(String user) throws Exception {
    Result added =
        Trainyard.command(
            Map.of("TRAINYARD_DATA", trainyard.data().toString()),
            user + "-password\n",
            "user",
            "add",
            user,
            "--password-stdin");
    assertThat(added.exitCode()).as(added.toString()).isZero();
    Result login = runAs(user, user + "-password\n", "login", "-u", user, "--password-stdin");
    assertThat(login.exitCode()).as(login.toString()).isZero();
  }

  @Test
  void login_storedTokenIsPrivate() throws Exception {
    signUp("anna");
    assertThat(runAs("anna", "", "whoami").out()).contains("anna");
    try (var files = Files.walk(directory.resolve("home-of-anna"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
        assertThat(Files.readString(file)).doesNotContain("anna-password");
      }
    }
  }

  @Test
  void jobs_ofAnotherUser_notFound() throws Exception {
    signUp("alice");
    signUp("bob");
    Path file =
        Files.writeString(
            directory.resolve("j.json"),
            Trainyard.job("mine", "echo secret > /userhome/s; chmod 644 /userhome/s"));
    assertThat(runAs("alice", "", "run", file.toString()).exitCode()).isZero();
    assertThat(runAs("bob", "", "ls", "--json").json()).isEmpty();
    for (String command : new String[] {"show", "logs", "stop", "why"}) {
      assertThat(runAs("bob", "", command, "alice~mine").exitCode()).as(command).isEqualTo(4);
    }
    Path spy =
        Files.writeString(
            directory.resolve("spy.json"),
            Trainyard.job(
                "spy",
                "ls -a /userhome; find / -name s -path '*alice*' 2>/dev/null; cat "
                    + trainyard.data()
                    + "/home/alice/s"));
    Result spied = runAs("bob", "", "run", spy.toString());
    assertThat(spied.exitCode()).isNotZero();
    assertThat(spied.out()).isEqualTo(".\n..\n");
    assertThat(runAs("bob", "", "user", "ls").exitCode()).isEqualTo(3);
  }

  @Test
  void rm_nameReused_newUserHasEmptyHome() throws Exception {
    signUp("dave");
    Path write =
        Files.writeString(
            directory.resolve("w.json"), Trainyard.job("w", "echo secret > /userhome/secret.txt"));
    assertThat(runAs("dave", "", "run", write.toString()).exitCode()).isZero();
    assertThat(trainyard.run("user", "rm", "dave").exitCode()).isZero();
    signUp("dave");
    Path read =
        Files.writeString(directory.resolve("r.json"), Trainyard.job("r", "ls -A /userhome"));
    Result listed = runAs("dave", "", "run", read.toString());
    assertThat(listed.exitCode()).as(listed.toString()).isZero();
    assertThat(listed.out()).isEmpty();
  }

  @Test
  void disable_takesEffectImmediately() throws Exception {
    signUp("carol");
    assertThat(trainyard.run("user", "disable", "carol").exitCode()).isZero();
    assertThat(runAs("carol", "", "whoami").exitCode()).isEqualTo(3);
    Result secondLogin =
        runAs("carol", "carol-password\n", "login", "-u", "carol", "--password-stdin");
    assertThat(secondLogin.exitCode()).isEqualTo(3);
  }

  @Test
  void disable_lastAdministrator_isRejected() throws Exception {
    Result result = trainyard.run("user", "disable", "admin");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).isNotBlank();
  }
}
