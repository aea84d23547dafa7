package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.Mounts;
import dev.trainyard.engine.linux.UserNamespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Privileged operations that are performed by this process, which is root. */
final class LocalPrivilegedOperations implements PrivilegedOperations {
  private final HostPrograms hostPrograms;
  private final ServerAccount server;
  private final UserNamespaces userNamespaces;

  /**
   * @param server account of the server for which the operations are performed
   */
  LocalPrivilegedOperations(HostPrograms hostPrograms, ServerAccount server) {
    this.hostPrograms = hostPrograms;
    this.server = server;
    this.userNamespaces = new UserNamespaces(hostPrograms::path);
  }

  @Override
  public void makePrivate(Path directory) throws IOException {
    attach(Mounts.bindDetached(directory.toString()), directory);
  }

  @Override
  public void mount(VolumeMount volume) throws IOException {
    if (volume.access() == Volume.Access.SHARED) {
      assignSpareOwner(volume.source());
    }
    int namespace = userNamespaces.of(volume.userMapping(server), volume.groupMapping(server));
    int mount = Mounts.bindDetached(volume.source().toString());
    try {
      Mounts.mapIds(mount, namespace);
      boolean readOnly = volume.access() == Volume.Access.READ_ONLY;
      Mounts.restrict(
          mount, Mounts.NO_SETUID | Mounts.NO_DEVICES | (readOnly ? Mounts.READ_ONLY : 0));
    } catch (LinuxException e) {
      Linux.close(mount);
      if (e.isNotSupported()) {
        throw new EngineException(
            "the file system of "
                + volume.source()
                + " does not support ID-mapped mounts, which containers need: keep the"
                + " data on ext4, xfs, btrfs or tmpfs with Linux 5.12 or newer");
      }
      throw e;
    }
    attach(mount, volume.mountPoint());
  }

  /**
   * Assigns a shared directory of the server's account to an ID that no user has. The owner needs
   * an ID in the mount, because otherwise no task could write to the directory. The server's
   * account must not have an ID there, because the server's own files in the directory would become
   * writable as well.
   */
  private void assignSpareOwner(Path directory) throws IOException {
    int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner == server.user()) {
      int spareId = IdRange.unused().base();
      Linux.changeOwner(Linux.AT_FDCWD, directory.toString(), spareId, spareId);
    }
  }

  private static void attach(int mount, Path mountPoint) throws IOException {
    int target = -1;
    try {
      target =
          Linux.open(mountPoint.toString(), Linux.O_PATH | Linux.O_DIRECTORY | Linux.O_NOFOLLOW);
      Mounts.attach(mount, target);
    } finally {
      Linux.close(target);
      Linux.close(mount);
    }
  }

  @Override
  public void unmount(Path directory) throws IOException {
    for (Path mount : MountTable.mountsBelow(directory)) {
      Mounts.detach(mount.toString());
    }
  }

  @Override
  public void blockMetadataServices(AddressRange containers, boolean podman) throws IOException {
    MetadataFirewall.install(hostPrograms, containers, podman);
  }

  @Override
  public void makeTreeReadable(Path tree) throws IOException {
    if (!server.isRoot()) {
      TreeAccessGranter.makeReadable(tree, server);
    }
  }

  @Override
  public void deleteTree(Path tree) throws IOException {
    if (!server.isRoot()) {
      try {
        TreeDeleter.delete(tree);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  @Override
  public void reclaimFile(Path file) throws IOException {
    FileReclaimer.reclaim(file, server);
  }

  @Override
  public void close() {
    userNamespaces.close();
  }
}
