package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserDirectoriesTest {
  private static final String ID = "01J00000000000000000000000";

  @TempDir private Path directory;
  private Path data;
  private Path homes;
  private Path storages;

  @BeforeEach
  void createDirectories() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
    homes = Files.createDirectory(data.resolve("home"));
    storages = Files.createDirectories(data.resolve("storages/users"));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 240, 255})
  void moveAway_nameOfAnyLength_movesEverything(int length) throws IOException {
    String name = "u".repeat(length);
    fill(homes.resolve(name), "private");
    fill(storages.resolve(name), "stored");
    new UserDirectories(data).moveAway(ID, name);
    new UserDirectories(data).moveAway(ID, name);
    assertThat(homes.resolve(name)).doesNotExist();
    assertThat(storages.resolve(name)).doesNotExist();
    assertThat(homes.resolve("~" + ID + "/file")).hasContent("private");
    assertThat(storages.resolve("~" + ID + "/file")).hasContent("stored");
  }

  @Test
  void moveAway_interruptedBetweenHomeAndStorages_completed() throws IOException {
    fill(homes.resolve("~" + ID), "private");
    fill(storages.resolve("alice"), "stored");
    new UserDirectories(data).moveAway(ID, "alice");
    assertThat(storages.resolve("~" + ID + "/file")).hasContent("stored");
  }

  @Test
  void moveAway_targetExists_bothAreKept() throws IOException {
    fill(homes.resolve("~" + ID), "first");
    fill(homes.resolve("alice"), "second");
    new UserDirectories(data).moveAway(ID, "alice");
    assertThat(homes.resolve("~" + ID + "/file")).hasContent("first");
    assertThat(homes.resolve("~" + ID + "~2/file")).hasContent("second");
  }

  @Test
  void moveAway_noDirectories_hasNoEffect() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    new UserDirectories(empty).moveAway(ID, "alice");
    assertThat(empty).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../evil", "../evil", "..", ".", "", "x/../bob", "bob/inner"})
  void moveAway_invalidName_rejected(String name) throws IOException {
    fill(directory.resolve("evil"), "outside");
    fill(data.resolve("evil"), "outside");
    fill(homes.resolve("bob/inner"), "other user");
    UserDirectories directories = new UserDirectories(data);
    assertThatThrownBy(() -> directories.moveAway(ID, name)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> directories.moveAway("x/../" + name, "bob"))
        .isInstanceOf(IOException.class);
    assertThat(directory.resolve("evil/file")).exists();
    assertThat(data.resolve("evil/file")).exists();
    assertThat(homes.resolve("bob/inner/file")).exists();
    assertThat(storages).exists();
  }

  private static void fill(Path home, String text) throws IOException {
    Files.createDirectories(home);
    Files.writeString(home.resolve("file"), text);
  }
}
