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
import java.util.List;

/**
 * The storages that a job names, as directories of its owner's own: nobody has to permit what
 * nobody else sees, and what a job saves in one is there for the next. See docs/rationale.md.
 */
public final class StorageVolumes {
  private final Path users;

  public StorageVolumes(Path data) {
    this.users = data.resolve("storages").resolve("users");
  }

  List<Volume> of(User owner, JobExtras extras) {
    return extras.storages().stream().map(mount -> volume(owner, mount)).toList();
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
