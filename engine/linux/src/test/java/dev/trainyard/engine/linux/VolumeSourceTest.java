package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeSourceTest {
  @TempDir private Path directory;

  @Test
  void make_link_isRejectedAndItsTargetUnchanged() throws IOException {
    Path target = Files.createDirectory(directory.resolve("target"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link = Files.createSymbolicLink(directory.resolve("home"), target);
    int account = (Integer) Files.getAttribute(target, "unix:uid");
    for (Volume.Access access : new Volume.Access[] {Volume.Access.OWNED, Volume.Access.SHARED}) {
      Volume volume = new Volume(link, "/userhome", access);
      assertThatThrownBy(() -> VolumeSource.prepare(volume, account))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("symbolic link");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rwxr-xr-x");
  }
}
