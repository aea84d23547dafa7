package dev.trainyard.server.image;

import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.image.NodeImage.Origin;
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
final class NodeImageService {
  private static final Duration NEWS = Duration.ofMinutes(1);

  private final Db db;
  private final InstantSource clock;

  NodeImageService(Db db, InstantSource clock) {
    this.db = db;
    this.clock = clock;
  }

  /**
   * What a start needs to know of an image that is there.
   *
   * @param usable without asking the registry
   */
  record Standing(boolean usable, Optional<NodeImage> known) {
    boolean isMade() {
      return known.filter(NodeImage::isMade).isPresent();
    }
  }

  /**
   * @param image empty if it is not there
   */
  Standing look(
      String userId, boolean admin, ImageReference reference, Optional<LocalImage> image) {
    return db.read(
        handle -> {
          Optional<NodeImage> known = NodeImageStore.find(handle, reference.toString());
          String id = image.map(LocalImage::id).orElse("");
          // Users choose names: an administrator's job may have meant another image by this one.
          boolean anothers =
              known
                  .filter(NodeImage::isMade)
                  .filter(made -> !made.maker().equals(userId))
                  .filter(_ -> !Catalog.opens(handle, reference, id))
                  .isPresent();
          return new Standing(
              image.isPresent()
                  && !anothers
                  && mayUse(handle, userId, admin, reference, image.get()),
              known);
        });
  }

  Optional<NodeImage> find(ImageReference reference) {
    return db.read(handle -> NodeImageStore.find(handle, reference.toString()));
  }

  /** Whether somebody may use this image as it is, without asking the registry. */
  boolean mayUse(String userId, boolean admin, ImageReference reference, LocalImage image) {
    return db.read(handle -> mayUse(handle, userId, admin, reference, image));
  }

  private static boolean mayUse(
      Handle handle, String userId, boolean admin, ImageReference reference, LocalImage image) {
    Optional<NodeImage> known = NodeImageStore.find(handle, reference.toString());
    if (known.filter(there -> there.origin() == Origin.MAKING).isPresent()) {
      return false;
    }
    if (admin) {
      return true;
    }
    boolean restricted =
        known
            .map(NodeImage::restricted)
            // Another name of an image that is not for everybody opens no door.
            .orElseGet(() -> isRestricted(handle, image));
    return !restricted
        || NodeImageStore.isReader(handle, reference.toString(), userId)
        || Catalog.opens(handle, reference, image.id());
  }

  /**
   * Also one that somebody has made at another server of this machine, or before this server's
   * database was lost: nobody knows here for whom it is.
   */
  private static boolean isRestricted(Handle handle, LocalImage image) {
    return NodeImageStore.isRestricted(handle, image.id())
        || (image.labels().containsKey(LocalImages.OWNER_LABEL)
            && !NodeImageStore.isKnown(handle, image.id()));
  }

  /**
   * An image that is not there is about to be pulled with a login: if the server ends before it
   * hears what came of it, the image is not for everybody.
   */
  void pulling(ImageReference reference) {
    db.write(
        handle -> {
          if (NodeImageStore.find(handle, reference.toString()).isEmpty()) {
            NodeImageStore.put(
                handle,
                new NodeImage(reference.toString(), "", Origin.PULLED, true, "", clock.instant()));
          }
          return null;
        });
  }

  /** Nothing came of it, and nobody else has got it meanwhile. */
  void notPulled(ImageReference reference) {
    db.write(
        handle -> {
          NodeImageStore.find(handle, reference.toString())
              .filter(known -> known.origin() == Origin.PULLED && known.imageId().isEmpty())
              .ifPresent(known -> NodeImageStore.delete(handle, known.reference()));
          return null;
        });
  }

  /** An image was pulled; with a login it is for those whom the registry has let have it. */
  void pulled(String userId, boolean withLogin, ImageReference reference, LocalImage image) {
    db.write(
        handle -> {
          Optional<NodeImage> before = NodeImageStore.find(handle, reference.toString());
          // What everybody may have by its name is not less theirs if somebody uses a login.
          boolean open =
              before
                  .filter(known -> !known.restricted() && known.imageId().equals(image.id()))
                  .isPresent();
          NodeImageStore.put(
              handle,
              new NodeImage(
                  reference.toString(),
                  image.id(),
                  before.map(NodeImage::origin).orElse(Origin.PULLED) == Origin.FOUND
                      ? Origin.FOUND
                      : Origin.PULLED,
                  withLogin && !open,
                  "",
                  clock.instant()));
          if (withLogin) {
            NodeImageStore.addReader(handle, reference.toString(), userId);
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
          if (NodeImageStore.find(handle, reference.toString()).isPresent()) {
            NodeImageStore.used(handle, reference.toString(), clock.instant());
          } else {
            NodeImageStore.put(
                handle,
                new NodeImage(
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
  Optional<NodeImage> making(String userId, ImageReference reference) {
    return db.write(
        handle -> {
          Optional<NodeImage> before = NodeImageStore.find(handle, reference.toString());
          NodeImageStore.delete(handle, reference.toString());
          NodeImageStore.put(
              handle,
              new NodeImage(
                  reference.toString(), "", Origin.MAKING, true, userId, clock.instant()));
          NodeImageStore.addReader(handle, reference.toString(), userId);
          return before;
        });
  }

  /** Nothing was made: the image of this name, if there is one, is what it was. */
  void restore(ImageReference reference, Optional<NodeImage> before) {
    db.write(
        handle -> {
          NodeImageStore.delete(handle, reference.toString());
          if (before.isPresent()) {
            NodeImageStore.put(handle, before.get());
            if (!before.get().maker().isEmpty()) {
              NodeImageStore.addReader(handle, reference.toString(), before.get().maker());
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
          NodeImageStore.find(handle, reference.toString())
              .ifPresent(
                  known ->
                      NodeImageStore.put(
                          handle,
                          new NodeImage(
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
          NodeImageStore.delete(handle, reference.toString());
          return null;
        });
  }
}
