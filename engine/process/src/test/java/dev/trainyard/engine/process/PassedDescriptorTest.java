package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two jobs of one user share {@code /userhome} and can pass each other open directories there. A
 * directory of another mount namespace is not below the root of the task that receives it, so the
 * root does not stop {@code ..}.
 */
class PassedDescriptorTest {
  private static final String SENDER =
      """
      import socket, os
      server = socket.socket(socket.AF_UNIX)
      server.bind('/userhome/socket')
      server.listen()
      print('ready', flush=True)
      connection = server.accept()[0]
      socket.send_fds(connection, [b'x'], [os.open('/', os.O_RDONLY)])
      connection.recv(1)
      """;

  /** Goes up as far as possible, and lists each directory on the way. */
  private static final String RECEIVER =
      """
      import socket, os
      connection = socket.socket(socket.AF_UNIX)
      connection.connect('/userhome/socket')
      os.fchdir(socket.recv_fds(connection, 1, 1)[1][0])
      print('received', flush=True)
      for level in range(20):
          os.chdir('..')
          print(sorted(os.listdir('.')), flush=True)
      for name in os.listdir('.'):
          print('in', name, os.path.exists(name + '/DATA/secret'), flush=True)
      print('found', os.path.exists('.DATA/secret'))
      try:
          open('written', 'w')
          print('written')
      except OSError as e:
          print('read-only')
      """;

  @TempDir Path data;

  @BeforeEach
  void requirePython() {
    RealEngine.requireSandbox();
    Requirement.require(
        "python", Files.isExecutable(Path.of("/usr/bin/python3")), "there is no /usr/bin/python3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"perl", "shell"})
  void directoryOfAnotherTask_leadsOnlyToThatTask(String supervisor) throws IOException {
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, supervisor);
    try (RealEngine realEngine = new RealEngine(data)) {
      Path secret = Files.writeString(data.resolve("secret"), "of the server");
      allowAccessForAll(secret.toRealPath());
      allowAccessForAll(Files.createDirectories(data.resolve("mounts/root")).toRealPath());
      TaskId sender = realEngine.task(python(SENDER)).start();
      RealEngine.await(() -> RealEngine.read(realEngine.logs(sender), "stdout").contains("ready"));

      Result result = realEngine.task(python(RECEIVER)).run();

      assertThat(result.end().reason()).as(result.toString()).isEqualTo(ExitReason.SUCCEEDED);
      assertThat(result.stdout())
          .startsWith("received\n")
          .doesNotContain("True", data.getFileName().toString())
          // The task of an ordinary user has its own writable root at the top.
          .endsWith(RealEngine.IS_ROOT ? "read-only\n" : "written\n");
    } finally {
      System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
    }
  }

  private String python(String program) throws IOException {
    String text = program.replace("DATA", data.toRealPath().toString());
    return "cat > /tmp/program.py <<'END'\n" + text + "END\n/usr/bin/python3 /tmp/program.py\n";
  }

  /** Grants access to all, so that no directory mode protects the host in this test. */
  private void allowAccessForAll(Path lowestPath) throws IOException {
    for (Path path = lowestPath; path.startsWith(data.toRealPath()); path = path.getParent()) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
