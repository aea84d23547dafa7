package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemorySecretsTest {
  private static final SecretFiles SECRETS = new SecretFiles(Map.of("user.sh", "echo x"));
  private static final TaskId FIRST_TASK = task(0);
  private static final TaskId SECOND_TASK = task(1);

  @TempDir private Path directory;

  private static TaskId task(int index) {
    return new TaskId(new JobId("0".repeat(26)), 1, "main", index);
  }

  private SharedMemorySecrets sharedMemorySecrets() {
    return new SharedMemorySecrets(directory.resolve("mine"));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void put_isInaccessibleToOthers() throws IOException {
    SharedMemorySecrets sharedMemorySecrets = sharedMemorySecrets();
    sharedMemorySecrets.write(FIRST_TASK, SECRETS);
    sharedMemorySecrets.write(FIRST_TASK, SECRETS); // a repeated start
    assertThat(sharedMemorySecrets.directoryOf(FIRST_TASK).resolve("user.sh")).hasContent("echo x");
    assertThat(mode(sharedMemorySecrets.directory())).isEqualTo("rwx------");
    assertThat(mode(sharedMemorySecrets.directoryOf(FIRST_TASK))).isEqualTo("rwx------");
    assertThat(mode(sharedMemorySecrets.directoryOf(FIRST_TASK).resolve("user.sh")))
        .isEqualTo("rw-------");
  }

  /** Another account may have created the directory before. */
  @Test
  void put_directoryOfAnotherAccount() throws IOException {
    Path otherDirectory = Files.createDirectory(directory.resolve("elsewhere"));
    Files.createSymbolicLink(sharedMemorySecrets().directory(), otherDirectory);
    assertThatThrownBy(() -> sharedMemorySecrets().write(FIRST_TASK, SECRETS))
        .isInstanceOf(IOException.class);
    Files.delete(sharedMemorySecrets().directory());
    Files.createDirectory(sharedMemorySecrets().directory());
    Files.setPosixFilePermissions(
        sharedMemorySecrets().directory(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> sharedMemorySecrets().write(FIRST_TASK, SECRETS))
        .isInstanceOf(IOException.class);
    assertThat(otherDirectory).isEmptyDirectory();
  }

  @Test
  void forgetAllBut_keepsRunningTasks() throws IOException {
    SharedMemorySecrets sharedMemorySecrets = sharedMemorySecrets();
    sharedMemorySecrets.deleteAllExcept(_ -> true);
    sharedMemorySecrets.write(FIRST_TASK, SECRETS);
    sharedMemorySecrets.write(SECOND_TASK, SECRETS);
    sharedMemorySecrets.deleteAllExcept(SECOND_TASK::equals);
    assertThat(sharedMemorySecrets.directoryOf(FIRST_TASK)).doesNotExist();
    assertThat(sharedMemorySecrets.directoryOf(SECOND_TASK)).exists();
    sharedMemorySecrets.delete(SECOND_TASK);
    sharedMemorySecrets.delete(SECOND_TASK);
    assertThat(sharedMemorySecrets.directory()).isEmptyDirectory();
  }

  @Test
  void forgetAllBut_deletesForeignFiles() throws IOException {
    SharedMemorySecrets sharedMemorySecrets = sharedMemorySecrets();
    sharedMemorySecrets.write(FIRST_TASK, SECRETS);
    Files.writeString(
        Files.createDirectory(sharedMemorySecrets.directory().resolve("code")).resolve("a"), "x");
    Files.writeString(sharedMemorySecrets.directory().resolve("a.b.c.d"), "x");
    sharedMemorySecrets.deleteAllExcept(_ -> true);
    assertThat(sharedMemorySecrets.directory())
        .isDirectoryContaining(sharedMemorySecrets.directoryOf(FIRST_TASK)::equals);
    assertThat(sharedMemorySecrets.directory().resolve("code")).doesNotExist();
    assertThat(sharedMemorySecrets.directory().resolve("a.b.c.d")).doesNotExist();
  }

  @Test
  void forgetAllBut_directoryOfAnotherAccount() throws IOException {
    Path otherDirectory = Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(otherDirectory.resolve("dear"), "x");
    Files.createSymbolicLink(sharedMemorySecrets().directory(), otherDirectory);
    sharedMemorySecrets().deleteAllExcept(_ -> false);
    assertThat(otherDirectory.resolve("dear")).exists();
  }
}
