package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FstabTest {
  private static final MountTable MOUNTS =
      MountTable.parse(
          List.of(
              "1 0 8:1 / / rw,relatime - ext4 /dev/sda rw",
              "2 1 8:2 / /mnt/d rw,noexec,nosuid,relatime - ext4 /dev/sdb rw"));

  @Test
  void text_escapesSpecialCharacters() {
    String text = new Fstab(MOUNTS).bind("/a b\tc\n/dev/sda / x\\040", "./root/#x").text();

    assertThat(text)
        .isEqualTo(
            "/a\\040b\\011c\\012/dev/sda\\040/\\040x\\134040 ./root/\\043x none bind,nosuid,nodev 0"
                + " 0\n");
  }

  @Test
  void readOnlyBind_keepsRequiredFlags() {
    assertThat(new Fstab(MOUNTS).readOnlyBind(Path.of("/mnt/d/x"), "./root/x").text())
        .endsWith("none ./root/x none remount,bind,ro,nodev,noexec,nosuid 0 0\n");
    assertThat(new Fstab(MOUNTS).readOnlyBind(Path.of("/srv"), "./root/x").text())
        .endsWith("none ./root/x none remount,bind,ro,nodev,nosuid 0 0\n");
  }
}
