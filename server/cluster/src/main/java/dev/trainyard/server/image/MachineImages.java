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
      return known.filter(MachineImage::isMade).isPresent();
    }
  }

  /**
   * @param image empty if it is not there
   */
  Standing look(
      String userId, boolean admin, ImageReference reference, Optional<LocalImage> image) {
    return db.read(
        handle -> {
          Optional<MachineImage> known = MachineImageStore.find(handle, reference.toString());
          String id = image.map(LocalImage::id).orElse("");
          // Users choose names: an administrator's job may have meant another image by this one.
          boolean anothers =
              known
                  .filter(MachineImage::isMade)
                  .filter(made -> !made.maker().equals(userId))
                  .filter(_ -> !Catalogue.opens(handle, reference, id))
                  .isPresent();
          return new Standing(
              image.isPresent()
                  && !anothers
                  && mayUse(handle, userId, admin, reference, image.get()),
              known);
        });
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
    Optional<MachineImage> known = MachineImageStore.find(handle, reference.toString());
    if (known.filter(there -> there.origin() == Origin.MAKING).isPresent()) {
      return false;
    }
    if (admin) {
      return true;
    }
    boolean restricted =
        known
            .map(MachineImage::restricted)
            // Another name of an image that is not for everybody opens no door.
            .orElseGet(() -> isRestricted(handle, image));
    return !restricted
        || MachineImageStore.isReader(handle, reference.toString(), userId)
        || Catalogue.opens(handle, reference, image.id());
  }

  /**
   * Also one that somebody has made at another server of this machine, or before this server's
   * database was lost: nobody knows here for whom it is.
   */
  private static boolean isRestricted(Handle handle, LocalImage image) {
    return MachineImageStore.isRestricted(handle, image.id())
        || (image.labels().containsKey(LocalImages.OWNER_LABEL)
            && !MachineImageStore.isKnown(handle, image.id()));
  }

  /**
   * An image that is not there is about to be pulled with a login: if the server ends before it
   * hears what came of it, the image is not for everybody.
   */
  void pulling(ImageReference reference) {
    db.write(
        handle -> {
          if (MachineImageStore.find(handle, reference.toString()).isEmpty()) {
            MachineImageStore.put(
                handle,
                new MachineImage(
                    reference.toString(), "", Origin.PULLED, true, "", clock.instant()));
          }
          return null;
        });
  }

  /** Nothing came of it, and nobody else has got it meanwhile. */
  void notPulled(ImageReference reference) {
    db.write(
        handle -> {
          MachineImageStore.find(handle, reference.toString())
              .filter(known -> known.origin() == Origin.PULLED && known.imageId().isEmpty())
              .ifPresent(known -> MachineImageStore.delete(handle, known.reference()));
          return null;
        });
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
                    isRestricted(handle, image),
                    "",
                    clock.instant()));
          }
          return null;
        });
  }

  /**
   * Somebody is about to make an image of this name, which is theirs alone from now on.
   *
   * @return what was known of the one before, to be restored if nothing comes of it
   */
  Optional<MachineImage> making(String userId, ImageReference reference) {
    return db.write(
        handle -> {
          Optional<MachineImage> before = MachineImageStore.find(handle, reference.toString());
          MachineImageStore.delete(handle, reference.toString());
          MachineImageStore.put(
              handle,
              new MachineImage(
                  reference.toString(), "", Origin.MAKING, true, userId, clock.instant()));
          MachineImageStore.addReader(handle, reference.toString(), userId);
          return before;
        });
  }

  /** Nothing was made: the image of this name, if there is one, is what it was. */
  void restore(ImageReference reference, Optional<MachineImage> before) {
    db.write(
        handle -> {
          MachineImageStore.delete(handle, reference.toString());
          if (before.isPresent()) {
            MachineImageStore.put(handle, before.get());
            if (!before.get().maker().isEmpty()) {
              MachineImageStore.addReader(handle, reference.toString(), before.get().maker());
            }
          }
          return null;
        });
  }

  /** There is an image of this name now; it is still to be sent away before it may be used. */
  void begun(ImageReference reference, LocalImage image) {
    put(reference, image, Origin.MAKING);
  }

  /** It is done. */
  void made(ImageReference reference, LocalImage image) {
    put(reference, image, Origin.MADE);
  }

  private void put(ImageReference reference, LocalImage image, Origin origin) {
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
                              origin,
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
