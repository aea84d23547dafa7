package dev.trainyard.server.image;

import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.image.MachineImage.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Who may use what is on the machine. An image that came with a login, or was made from somebody's
 * task, is not for everybody only because it is there: others need the registry's word, or an
 * administrator's by the catalogue. Thread-safe.
 */
final class MachineImages {
  private static final Duration NEWS = Duration.ofMinutes(1);

  private final Db db;
  private final InstantSource clock;

  MachineImages(Db db, InstantSource clock) {
    this.db = db;
    this.clock = clock;
  }

  /**
   * What a start needs to know of an image that is there.
   *
   * @param usable without asking the registry
   */
  record Standing(boolean usable, Optional<MachineImage> known) {
    boolean isMade() {
      return known.filter(image -> image.origin() == Origin.MADE).isPresent();
    }
  }

  /**
   * @param image empty if it is not there
   */
  Standing look(
      String userId, boolean admin, ImageReference reference, Optional<LocalImage> image) {
    return db.read(
        handle ->
            new Standing(
                image.isPresent() && mayUse(handle, userId, admin, reference, image.get()),
                MachineImageStore.find(handle, reference.toString())));
  }

  Optional<MachineImage> find(ImageReference reference) {
    return db.read(handle -> MachineImageStore.find(handle, reference.toString()));
  }

  /** Whether somebody may use this image as it is, without asking the registry. */
  boolean mayUse(String userId, boolean admin, ImageReference reference, LocalImage image) {
    return db.read(handle -> mayUse(handle, userId, admin, reference, image));
  }

  private static boolean mayUse(
      Handle handle, String userId, boolean admin, ImageReference reference, LocalImage image) {
    if (admin) {
      return true;
    }
    boolean restricted =
        MachineImageStore.find(handle, reference.toString())
            .map(MachineImage::restricted)
            // Another name of an image that is not for everybody opens no door.
            .orElseGet(() -> MachineImageStore.isRestricted(handle, image.id()));
    return !restricted
        || MachineImageStore.isReader(handle, reference.toString(), userId)
        || Catalogue.contains(handle, reference);
  }

  /** An image was pulled; with a login it is for those whom the registry has let have it. */
  void pulled(String userId, boolean withLogin, ImageReference reference, LocalImage image) {
    db.write(
        handle -> {
          Optional<MachineImage> before = MachineImageStore.find(handle, reference.toString());
          // What everybody may have by its name is not less theirs if somebody uses a login.
          boolean open =
              before
                  .filter(known -> !known.restricted() && known.imageId().equals(image.id()))
                  .isPresent();
          MachineImageStore.put(
              handle,
              new MachineImage(
                  reference.toString(),
                  image.id(),
                  before.map(MachineImage::origin).orElse(Origin.PULLED) == Origin.FOUND
                      ? Origin.FOUND
                      : Origin.PULLED,
                  withLogin && !open,
                  "",
                  clock.instant()));
          if (withLogin) {
            MachineImageStore.addReader(handle, reference.toString(), userId);
          }
          return null;
        });
  }

  /** Somebody uses what was there. */
  void used(ImageReference reference, LocalImage image) {
    Instant justNow = clock.instant().minus(NEWS);
    if (find(reference).filter(known -> known.used().isAfter(justNow)).isPresent()) {
      return; // a thousand short jobs of one image need not all write it down
    }
    db.write(
        handle -> {
          if (MachineImageStore.find(handle, reference.toString()).isPresent()) {
            MachineImageStore.used(handle, reference.toString(), clock.instant());
          } else {
            MachineImageStore.put(
                handle,
                new MachineImage(
                    reference.toString(),
                    image.id(),
                    Origin.FOUND,
                    MachineImageStore.isRestricted(handle, image.id()),
                    "",
                    clock.instant()));
          }
          return null;
        });
  }

  /** Somebody is about to make an image of this name, which is theirs alone from now on. */
  void making(String userId, ImageReference reference) {
    db.write(
        handle -> {
          MachineImageStore.delete(handle, reference.toString());
          MachineImageStore.put(
              handle,
              new MachineImage(
                  reference.toString(), "", Origin.MADE, true, userId, clock.instant()));
          MachineImageStore.addReader(handle, reference.toString(), userId);
          return null;
        });
  }

  void made(ImageReference reference, LocalImage image) {
    db.write(
        handle -> {
          MachineImageStore.find(handle, reference.toString())
              .ifPresent(
                  known ->
                      MachineImageStore.put(
                          handle,
                          new MachineImage(
                              known.reference(),
                              image.id(),
                              known.origin(),
                              known.restricted(),
                              known.maker(),
                              clock.instant())));
          return null;
        });
  }

  void removed(ImageReference reference) {
    db.write(
        handle -> {
          MachineImageStore.delete(handle, reference.toString());
          return null;
        });
  }
}
