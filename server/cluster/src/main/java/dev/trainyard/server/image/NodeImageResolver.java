package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Resolves catalog references to the images currently on this node. Thread-safe. */
final class NodeImageResolver {
  private final Optional<ImageStore> images;
  private final NodeImageService nodeImages;

  /**
   * @param images empty if the engine does not support images
   */
  NodeImageResolver(Optional<ImageStore> images, NodeImageService nodeImages) {
    this.images = images;
    this.nodeImages = nodeImages;
  }

  boolean engineSupportsImages() {
    return images.isPresent();
  }

  /** Returns the image that an administrator who approves this reference now would approve. */
  ReviewedImage reviewedImage(ImageReference reference) {
    Optional<NodeImage> userCreated =
        nodeImages
            .find(reference)
            .filter(NodeImage::isUserCreated)
            .filter(_ -> !ImageNames.hasRegistry(reference));
    // If the engine does not respond, the approval uses the recorded ID of a user-created image.
    // Without an ID, the approval would cover every image of that name.
    return id(reference)
        .or(() -> userCreated.map(NodeImage::imageId))
        .filter(id -> !id.isEmpty())
        .map(id -> new ReviewedImage(id, userCreated.isPresent()))
        .orElse(ReviewedImage.NONE);
  }

  Optional<String> id(ImageReference reference) {
    try {
      return images.flatMap(store -> store.find(reference)).map(LocalImage::id);
    } catch (ImageException e) {
      return Optional.empty(); // the catalog works without the ID
    }
  }

  /** Returns the IDs of all images by complete name; empty if the engine does not respond. */
  Map<String, String> ids() {
    Map<String, String> ids = new HashMap<>();
    try {
      for (LocalImage image : images.map(ImageStore::list).orElse(List.of())) {
        for (String name : image.references()) {
          ImageReference.parse(name)
              .ifPresent(reference -> ids.put(reference.toString(), image.id()));
        }
      }
    } catch (ImageException e) {
      return Map.of();
    }
    return ids;
  }
}
