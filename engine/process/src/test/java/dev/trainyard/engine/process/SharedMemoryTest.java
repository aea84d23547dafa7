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

class SharedMemoryTest {
  private static final SecretFiles SECRETS = new SecretFiles(Map.of("user.sh", "echo x"));
  private static final TaskId ONE = task(0);
  private static final TaskId OTHER = task(1);

  @TempDir private Path directory;

  private static TaskId task(int index) {
    return new TaskId(new JobId("0".repeat(26)), 1, "main", index);
  }

  private SharedMemory memory() {
    return new SharedMemory(directory.resolve("mine"));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void put_isInaccessibleToOthers() throws IOException {
    SharedMemory memory = memory();
    memory.put(ONE, SECRETS);
    memory.put(ONE, SECRETS); // a repeated start
    assertThat(memory.of(ONE).resolve("user.sh")).hasContent("echo x");
    assertThat(mode(memory.place())).isEqualTo("rwx------");
    assertThat(mode(memory.of(ONE))).isEqualTo("rwx------");
    assertThat(mode(memory.of(ONE).resolve("user.sh"))).isEqualTo("rw-------");
  }

  /** Any account may have created it before. */
  @Test
  void put_directoryOfAnotherAccount() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.createSymbolicLink(memory().place(), elsewhere);
    assertThatThrownBy(() -> memory().put(ONE, SECRETS)).isInstanceOf(IOException.class);
    Files.delete(memory().place());
    Files.createDirectory(memory().place());
    Files.setPosixFilePermissions(memory().place(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> memory().put(ONE, SECRETS)).isInstanceOf(IOException.class);
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void forgetAllBut_keepsRunningTasks() throws IOException {
    SharedMemory memory = memory();
    memory.forgetAllBut(_ -> true);
    memory.put(ONE, SECRETS);
    memory.put(OTHER, SECRETS);
    memory.forgetAllBut(OTHER::equals);
    assertThat(memory.of(ONE)).doesNotExist();
    assertThat(memory.of(OTHER)).exists();
    memory.forget(OTHER);
    memory.forget(OTHER);
    assertThat(memory.place()).isEmptyDirectory();
  }

  @Test
  void forgetAllBut_deletesForeignFiles() throws IOException {
    SharedMemory memory = memory();
    memory.put(ONE, SECRETS);
    Files.writeString(Files.createDirectory(memory.place().resolve("code")).resolve("a"), "x");
    Files.writeString(memory.place().resolve("a.b.c.d"), "x");
    memory.forgetAllBut(_ -> true);
    assertThat(memory.place()).isDirectoryContaining(memory.of(ONE)::equals);
    assertThat(memory.place().resolve("code")).doesNotExist();
    assertThat(memory.place().resolve("a.b.c.d")).doesNotExist();
  }

  @Test
  void forgetAllBut_directoryOfAnotherAccount() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("dear"), "x");
    Files.createSymbolicLink(memory().place(), elsewhere);
    memory().forgetAllBut(_ -> false);
    assertThat(elsewhere.resolve("dear")).exists();
  }
}
