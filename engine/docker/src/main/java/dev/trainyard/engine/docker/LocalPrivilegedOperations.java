package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.Mounts;
import dev.trainyard.engine.linux.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Privileged operations that are performed by this process, which is root. */
final class LocalPrivilegedOperations implements PrivilegedOperations {
  private final HostPrograms hostPrograms;
  private final ServerAccount server;
  private final UserNamespaces namespaces;

  /**
   * @param server the account for which they are performed
   */
  LocalPrivilegedOperations(HostPrograms hostPrograms, ServerAccount server) {
    this.hostPrograms = hostPrograms;
    this.server = server;
    this.namespaces = new UserNamespaces(hostPrograms::path);
  }

  @Override
  public void makePrivate(Path place) throws IOException {
    attach(Mounts.copyOf(place.toString()), place);
  }

  @Override
  public void mount(VolumeMount volume) throws IOException {
    if (volume.access() == Volume.Access.SHARED) {
      changeToSpareOwner(volume.source());
    }
    int namespace = namespaces.of(volume.users(server), volume.groups(server));
    int mount = Mounts.copyOf(volume.source().toString());
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
    attach(mount, volume.on());
  }

  /**
   * Makes a neutral ID the owner of a shared directory, because the owner must be known in every
   * mount, or no task could write there. It cannot be the server's account, because the server's
   * own files there would become writable as well.
   */
  private void changeToSpareOwner(Path directory) throws IOException {
    int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner == server.user()) {
      int spare = IdRange.spare().base();
      Linux.changeOwner(Linux.AT_FDCWD, directory.toString(), spare, spare);
    }
  }

  private static void attach(int mount, Path on) throws IOException {
    int target = -1;
    try {
      target = Linux.open(on.toString(), Linux.O_PATH | Linux.O_DIRECTORY | Linux.O_NOFOLLOW);
      Mounts.attach(mount, target);
    } finally {
      Linux.close(target);
      Linux.close(mount);
    }
  }

  @Override
  public void unmount(Path place) throws IOException {
    for (Path mount : MountTable.at(place)) {
      Mounts.detach(mount.toString());
    }
  }

  @Override
  public void blockLinkLocal(AddressRange containers, boolean podman) throws IOException {
    MetadataFirewall.install(hostPrograms, containers, podman);
  }

  @Override
  public void openTree(Path tree) throws IOException {
    if (!server.isRoot()) {
      TreeAccessGranter.open(tree, server);
    }
  }

  @Override
  public void giveTree(Path tree) throws IOException {
    if (!server.isRoot()) {
      TreeAccessGranter.give(tree, server);
    }
  }

  @Override
  public void takeFile(Path file) throws IOException {
    FileReclaimer.take(file, server);
  }

  @Override
  public void close() {
    namespaces.close();
  }
}
