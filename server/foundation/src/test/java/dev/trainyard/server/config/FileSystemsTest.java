package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSystemsTest {
  private static final List<String> MOUNTS =
      List.of(
          "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
          "30 22 0:26 / /home rw shared:2 - nfs4 server:/home rw",
          "31 30 0:27 / /home/local rw - xfs /dev/sdb1 rw",
          "32 22 0:28 / /my\\040share rw master:3 propagate_from:2 - fuse.sshfs me@host: rw",
          "33 31 0:29 / /home/local rw - tmpfs tmpfs rw",
          "nonsense");

  @Test
  void typeOf_longestMountPointThenLast() {
    assertThat(FileSystems.typeOf(Path.of("/var/lib"), MOUNTS)).hasValue("ext4");
    assertThat(FileSystems.typeOf(Path.of("/home/alice/.trainyard"), MOUNTS)).hasValue("nfs4");
    assertThat(FileSystems.typeOf(Path.of("/home/local/x"), MOUNTS)).hasValue("tmpfs");
    assertThat(FileSystems.typeOf(Path.of("/home/locality"), MOUNTS)).hasValue("nfs4");
    assertThat(FileSystems.typeOf(Path.of("/my share/x"), MOUNTS)).hasValue("fuse.sshfs");
    assertThat(FileSystems.typeOf(Path.of("/"), List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "9p",
        "fuse.sshfs",
        "fuse.glusterfs",
        "glusterfs",
        "ceph",
        "fuse.ceph-fuse",
        "lustre",
        "beegfs",
        "fuse.juicefs",
        "fuse.s3fs"
      })
  void isNetwork_true(String type) {
    assertThat(FileSystems.isNetwork(type)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuse.ntfs", "f2fs"})
  void isNetwork_false(String type) {
    assertThat(FileSystems.isNetwork(type)).isFalse();
  }
}
