package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageMountTest {
  @ParameterizedTest
  @ValueSource(strings = {"/mnt/nfs", "/data", "//data//a/./b", "/root/data", "/var/lib/x"})
  void isValid_usualMountPoints(String path) {
    assertThat(new StorageMount("a", path).isValid()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "data",
        "/",
        "//.",
        "/mnt",
        "/root",
        "/etc/x",
        "/usr/local/pai/code",
        "/userhome/a",
        "/gdata",
        "/proc/1",
        "/dev/shm",
        "/tmp/x",
        "/mnt/../etc",
        "/mnt/a\nb"
      })
  void isValid_occupiedPaths_false(String path) {
    assertThat(new StorageMount("a", path).isValid()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", ".a", "-a", "a/b", "a b", "a\0"})
  void isName_pathSyntax_false(String name) {
    assertThat(StorageMount.isName(name)).isFalse();
  }

  @Test
  void overlaps_symmetric() {
    StorageMount outer = new StorageMount("a", "/mnt/a");
    assertThat(outer.overlaps(new StorageMount("b", "/mnt//a/b"))).isTrue();
    assertThat(new StorageMount("b", "/mnt/a/b").overlaps(outer)).isTrue();
    assertThat(outer.overlaps(new StorageMount("b", "/mnt/ab"))).isFalse();
  }
}
