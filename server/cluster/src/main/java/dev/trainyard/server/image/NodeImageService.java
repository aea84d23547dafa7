package dev.trainyard.server.image;

import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.image.NodeImage.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Decides which users may use the images on the node. An image that was pulled with a login, or
 * created from a user's task, is not available to all users just because it is on the node: other
 * users need access at the registry, or an administrator's approval in the catalog. Thread-safe.
 */
final class NodeImageService {
  private static final Duration USE_RECORD_INTERVAL = Duration.ofMinutes(1);

  private final Db db;
  private final InstantSource clock;

  NodeImageService(Db db, InstantSource clock) {
    this.db = db;
    this.clock = clock;
  }

  /**
   * Result of the access check for an image at the start of a job.
   *
   * @param usable whether the user may use the image without a query to the registry
   */
  record AccessCheck(boolean usable, Optional<NodeImage> nodeImage) {
    boolean isUserCreated() {
      return nodeImage.filter(NodeImage::isUserCreated).isPresent();
    }
  }

  /**
   * @param image image on the node that has this reference; empty if there is none
   */
  AccessCheck checkAccess(
      String userId, boolean admin, ImageReference reference, Optional<LocalImage> image) {
    return db.read(
        handle -> {
          Optional<NodeImage> nodeImage = NodeImageStore.find(handle, reference.toString());
          String id = image.map(LocalImage::id).orElse("");
          // Users choose names freely, so the job of an administrator may refer to another image of
          // this name.
          boolean createdByOther =
              nodeImage
                  .filter(NodeImage::isUserCreated)
                  .filter(created -> !created.creator().equals(userId))
                  .filter(_ -> !CatalogStore.isOpenToAll(handle, reference, id))
                  .isPresent();
          return new AccessCheck(
              image.isPresent()
                  && !createdByOther
                  && mayUse(handle, userId, admin, reference, image.get()),
              nodeImage);
        });
  }

  Optional<NodeImage> find(ImageReference reference) {
    return db.read(handle -> NodeImageStore.find(handle, reference.toString()));
  }

  /** Returns whether a user may use this image without a query to the registry. */
  boolean mayUse(String userId, boolean admin, ImageReference reference, LocalImage image) {
    return db.read(handle -> mayUse(handle, userId, admin, reference, image));
  }

  private static boolean mayUse(
      Handle handle, String userId, boolean admin, ImageReference reference, LocalImage image) {
    Optional<NodeImage> nodeImage = NodeImageStore.find(handle, reference.toString());
    if (nodeImage.filter(candidate -> candidate.origin() == Origin.MAKING).isPresent()) {
      return false;
    }
    if (admin) {
      return true;
    }
    boolean restricted =
        nodeImage
            .map(NodeImage::restricted)
            // A second name of a restricted image does not grant access.
            .orElseGet(() -> isRestricted(handle, image));
    return !restricted
        || NodeImageStore.isReader(handle, reference.toString(), userId)
        || CatalogStore.isOpenToAll(handle, reference, image.id());
  }

  /**
   * Returns whether access to an image is restricted. Also true for an image that was created by
   * another server on this node, or before this server's database was lost, because the permitted
   * users of such an image are unknown.
   */
  private static boolean isRestricted(Handle handle, LocalImage image) {
    return NodeImageStore.isRestricted(handle, image.id())
        || (image.labels().containsKey(LocalImages.OWNER_LABEL)
            && !NodeImageStore.hasRecord(handle, image.id()));
  }

  /**
   * Records that an absent image is about to be pulled with a login. If the server stops before the
   * pull completes, the image stays restricted.
   */
  void pullStarted(ImageReference reference) {
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

  /** Records that a pull failed, unless another pull has succeeded in the meantime. */
  void pullFailed(ImageReference reference) {
    db.write(
        handle -> {
          NodeImageStore.find(handle, reference.toString())
              .filter(
                  nodeImage -> nodeImage.origin() == Origin.PULLED && nodeImage.imageId().isEmpty())
              .ifPresent(nodeImage -> NodeImageStore.delete(handle, nodeImage.reference()));
          return null;
        });
  }

  /**
   * Records a completed pull. An image pulled with a login may be used only by users to whom the
   * registry granted access, unless it was unrestricted before.
   */
  void pullFinished(String userId, boolean withLogin, ImageReference reference, LocalImage image) {
    db.write(
        handle -> {
          Optional<NodeImage> before = NodeImageStore.find(handle, reference.toString());
          // An image that all users may use under its name stays unrestricted if a user pulls it
          // with a login.
          boolean unrestricted =
              before
                  .filter(
                      nodeImage ->
                          !nodeImage.restricted() && nodeImage.imageId().equals(image.id()))
                  .isPresent();
          NodeImageStore.put(
              handle,
              new NodeImage(
                  reference.toString(),
                  image.id(),
                  before.map(NodeImage::origin).orElse(Origin.PULLED) == Origin.FOUND
                      ? Origin.FOUND
                      : Origin.PULLED,
                  withLogin && !unrestricted,
                  "",
                  clock.instant()));
          if (withLogin) {
            NodeImageStore.addReader(handle, reference.toString(), userId);
          }
          return null;
        });
  }

  /** Records that an existing image was used. */
  void imageUsed(ImageReference reference, LocalImage image) {
    Instant threshold = clock.instant().minus(USE_RECORD_INTERVAL);
    if (find(reference).filter(nodeImage -> nodeImage.lastUsed().isAfter(threshold)).isPresent()) {
      return; // limits the number of writes if many short jobs use the same image
    }
    db.write(
        handle -> {
          if (NodeImageStore.find(handle, reference.toString()).isPresent()) {
            NodeImageStore.updateLastUsed(handle, reference.toString(), clock.instant());
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
   * The record of a name before an image with this name is created.
   *
   * @param readers IDs of the users who may use the image even if it is restricted
   */
  record PreviousRecord(Optional<NodeImage> nodeImage, List<String> readers) {}

  /**
   * Records that a user is about to create an image with this name, and restricts the name to this
   * user.
   *
   * @return the previous record, to be restored if the creation fails
   */
  PreviousRecord createStarted(String userId, ImageReference reference) {
    return db.write(
        handle -> {
          PreviousRecord previous =
              new PreviousRecord(
                  NodeImageStore.find(handle, reference.toString()),
                  NodeImageStore.readers(handle, reference.toString()));
          NodeImageStore.delete(handle, reference.toString());
          NodeImageStore.put(
              handle,
              new NodeImage(
                  reference.toString(), "", Origin.MAKING, true, userId, clock.instant()));
          NodeImageStore.addReader(handle, reference.toString(), userId);
          return previous;
        });
  }

  /**
   * Restores the previous record after a failed creation. A failed creation does not change an
   * existing image of this name, nor the users who may use it.
   */
  void restore(ImageReference reference, PreviousRecord previous) {
    db.write(
        handle -> {
          NodeImageStore.delete(handle, reference.toString());
          if (previous.nodeImage().isPresent()) {
            NodeImageStore.put(handle, previous.nodeImage().get());
            previous
                .readers()
                .forEach(reader -> NodeImageStore.addReader(handle, reference.toString(), reader));
          }
          return null;
        });
  }

  /** Records that the image exists, but may not be used before it is pushed. */
  void created(ImageReference reference, LocalImage image) {
    put(reference, image, Origin.MAKING);
  }

  /** Records that the image is complete. */
  void createFinished(ImageReference reference, LocalImage image) {
    put(reference, image, Origin.MADE);
  }

  private void put(ImageReference reference, LocalImage image, Origin origin) {
    db.write(
        handle -> {
          NodeImageStore.find(handle, reference.toString())
              .ifPresent(
                  nodeImage ->
                      NodeImageStore.put(
                          handle,
                          new NodeImage(
                              nodeImage.reference(),
                              image.id(),
                              origin,
                              nodeImage.restricted(),
                              nodeImage.creator(),
                              clock.instant())));
          return null;
        });
  }

  void imageRemoved(ImageReference reference) {
    db.write(
        handle -> {
          NodeImageStore.delete(handle, reference.toString());
          return null;
        });
  }
}
