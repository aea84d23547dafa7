package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.JobExtras;
import dev.trainyard.model.StorageMount;
import dev.trainyard.server.user.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The storages that a job names: those that administrators have set up, and else directories of its
 * owner's own: nobody has to permit what nobody else sees, and what a job saves in one is there for
 * the next. See docs/rationale.md.
 */
public final class StorageVolumes {
  private final Path users;
  private final Path shared;

  public StorageVolumes(Path data) {
    this.users = data.resolve("storages").resolve("users");
    this.shared = data.resolve("storages").resolve("shared");
  }

  /**
   * @param others the shared ones, each with whether it may only be read
   */
  List<Volume> of(User owner, JobExtras extras, List<Map.Entry<StorageMount, Boolean>> others) {
    List<Volume> volumes = new ArrayList<>();
    others.forEach(other -> volumes.add(shared(other.getKey(), other.getValue())));
    for (StorageMount mount : extras.storages()) {
      if (others.stream().noneMatch(other -> other.getKey().name().equals(mount.name()))) {
        volumes.add(volume(owner, mount));
      }
    }
    return volumes;
  }

  private Volume shared(StorageMount mount, boolean readOnly) {
    Path place = shared.resolve(mount.name()).normalize();
    if (!shared.equals(place.getParent())) {
      throw new EngineException("the storage " + mount.name() + " can't be a directory");
    }
    if (readOnly) {
      make(place);
    }
    return new Volume(
        place, mount.mountPath(), readOnly ? Volume.Access.READ_ONLY : Volume.Access.SHARED);
  }

  /** One that tasks only read is filled by administrators; until then it is empty. */
  private static void make(Path place) {
    try {
      Files.createDirectories(
          place,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw EngineException.passing("the storage " + place.getFileName() + " can't be made");
    }
  }

  private Volume volume(User owner, StorageMount mount) {
    Path own = of(owner);
    Path place = own.resolve(mount.name()).normalize();
    // Names are checked where they are read; what is bound here must not depend on that.
    if (!users.equals(own.getParent()) || !own.equals(place.getParent())) {
      throw new EngineException("the storage " + mount.name() + " can't be a directory");
    }
    return new Volume(place, mount.mountPath(), Volume.Access.OWNED);
  }

  private Path of(User owner) {
    return users.resolve(owner.name()).normalize();
  }

  /** As with a home: whoever gets the name later starts with none. */
  public void userDeleted(User user) throws IOException {
    Path own = of(user);
    if (Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(own, own.resolveSibling(user.name() + "~" + user.id()));
    }
  }
}
