package dev.trainyard.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
  @TempDir private Path path;
  private DataDirectory directory;
  private Path file;

  @BeforeEach
  void find() {
    directory = new DataDirectory(path);
    file = path.resolve(KeyRing.FILE);
  }

  private KeyRing open() {
    return KeyRing.open(directory, () -> false);
  }

  private void assertRefused(String code) {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  @Test
  void open_firstTime_createsPrivateFile() throws IOException {
    KeyRing ring = open();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(open().newest().bytes()).isEqualTo(ring.newest().bytes()).hasSize(32);
  }

  @Test
  void open_missingFileWithSecrets_notRecreated() throws IOException {
    assertThatThrownBy(() -> KeyRing.open(directory, () -> true))
        .isInstanceOf(AppException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("contains only the word \"lost\"");
    assertThat(file).doesNotExist();

    directory.writePrivate(KeyRing.FILE, "lost\n");
    KeyRing.open(directory, () -> true);
    assertThat(Files.readString(file)).doesNotContain("lost\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
  void open_readableByOthers(String mode) throws IOException {
    open();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    assertRefused("config.secret-keys-open");
  }

  @Test
  void open_damaged() throws IOException {
    open();
    String good = Files.readString(file);
    String line = good.lines().filter(text -> !text.startsWith("#")).findFirst().orElseThrow();
    for (String damaged :
        new String[] {
          "",
          "# nothing\n",
          line.substring(0, line.length() - 4),
          line.substring(0, 20) + (line.charAt(20) == 'A' ? 'B' : 'A') + line.substring(21),
          "x" + line.substring(1),
          line + " more",
          line.replace(' ', '\t'),
          "密",
        }) {
      directory.writePrivate(KeyRing.FILE, damaged);
      assertRefused("config.secret-keys-damaged");
      assertThat(Files.readString(file)).isEqualTo(damaged);
    }
  }

  @Test
  void add_newestEncryptsAndAllAreFound() {
    KeyRing ring = open();
    String first = ring.newest().id();
    String second = ring.add().id();
    assertThat(ring.newest().id()).isEqualTo(second).isNotEqualTo(first);
    KeyRing reopened = open();
    assertThat(reopened.newest().id()).isEqualTo(second);
    assertThat(reopened.find(first)).isPresent();
    assertThat(reopened.find("0")).isEmpty();
    assertThat(ring.newest().toString()).isEqualTo(second);
  }

  @Test
  void keepOnly_neverDeletesTheNewest() {
    KeyRing ring = open();
    String first = ring.newest().id();
    String second = ring.add().id();
    String third = ring.add().id();
    assertThat(ring.keepOnly(Set.of(second))).isEqualTo(1);
    assertThat(open().find(first)).isEmpty();
    assertThat(open().find(second)).isPresent();
    assertThat(ring.keepOnly(Set.of())).isEqualTo(1);
    assertThat(open().newest().id()).isEqualTo(third);
  }
}
