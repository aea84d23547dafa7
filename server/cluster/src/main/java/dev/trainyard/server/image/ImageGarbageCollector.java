package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.config.DiskThreshold;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.image.NodeImage.Origin;
import dev.trainyard.server.job.JobStore;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes unused images that the platform pulled. Removes each image that has not been used for a
 * configured time. While the image disk is nearly full, also removes other images, the least
 * recently used first. Keeps images that a container uses, images in the catalog, images that an
 * unfinished job needs, images created by users, and images that the platform did not pull.
 */
final class ImageGarbageCollector {
  private static final Logger LOG = LoggerFactory.getLogger(ImageGarbageCollector.class);

  private final Db db;
  private final JobStore jobs;
  private final ImageStore images;
  private final Catalog catalog;
  private final Optional<Duration> maxAge;
  private final DiskThreshold lowDiskThreshold;
  private final Disk disk;
  private final Audit audit;
  private final InstantSource clock;

  /** Usage of the disk that stores the images. */
  @FunctionalInterface
  interface Disk {
    boolean isLow(DiskThreshold threshold);

    /** Returns the disk of the engine's image directory. */
    static Disk of(ImageStore images) {
      return threshold -> {
        Optional<Path> directory = images.directory().filter(Files::isDirectory);
        if (directory.isEmpty()) {
          return false;
        }
        try {
          FileStore store = Files.getFileStore(directory.get());
          return threshold.isLow(store.getUsableSpace(), store.getTotalSpace());
        } catch (IOException e) {
          LOG.warn("failed to read the usage of the image disk", e);
          return false;
        }
      };
    }
  }

  ImageGarbageCollector(
      Db db,
      JobStore jobs,
      ImageStore images,
      Catalog catalog,
      Optional<Duration> maxAge,
      DiskThreshold lowDiskThreshold,
      Disk disk,
      InstantSource clock) {
    this.db = db;
    this.jobs = jobs;
    this.images = images;
    this.catalog = catalog;
    this.maxAge = maxAge;
    this.lowDiskThreshold = lowDiskThreshold;
    this.disk = disk;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /** Removes the images that are due for removal; returns their references. */
  List<String> sweep() {
    List<String> removedReferences = new ArrayList<>();
    Instant now = clock.instant();
    for (NodeImage image : candidates()) {
      boolean expired = maxAge.isPresent() && image.lastUsed().isBefore(now.minus(maxAge.get()));
      if ((expired || disk.isLow(lowDiskThreshold)) && remove(image)) {
        removedReferences.add(image.reference());
      }
    }
    if (!removedReferences.isEmpty()) {
      LOG.info("removed unused images: {}", removedReferences);
    }
    return removedReferences;
  }

  /** Returns the images that may be removed, the least recently used first. */
  private List<NodeImage> candidates() {
    Set<String> neededReferences = neededReferences();
    Set<String> usedIds = images.usedIds();
    return db.read(NodeImageStore::list).stream()
        .filter(image -> image.origin() == Origin.PULLED)
        .filter(image -> !neededReferences.contains(image.reference()))
        .filter(image -> !catalog.contains(ImageReference.of(image.reference())))
        .filter(image -> !isUsed(image, usedIds))
        .sorted(Comparator.comparing(NodeImage::lastUsed))
        .toList();
  }

  private boolean isUsed(NodeImage nodeImage, Set<String> usedIds) {
    return images
        .find(ImageReference.of(nodeImage.reference()))
        .map(LocalImage::id)
        .filter(usedIds::contains)
        .isPresent();
  }

  /** Returns the references of the images that unfinished jobs need. */
  private Set<String> neededReferences() {
    Set<String> imageNames = new HashSet<>();
    db.read(
        handle -> {
          jobs.forEachQueuedOrActive(
              handle,
              job -> {
                for (RoleSpec role : job.spec().roles()) {
                  imageNames.add(job.spec().image(role));
                }
              });
          return null;
        });
    Set<String> references = new HashSet<>();
    for (String image : imageNames) {
      catalog
          .resolve(image)
          .or(() -> ImageReference.parse(image))
          .ifPresent(reference -> references.add(reference.toString()));
    }
    return references;
  }

  private boolean remove(NodeImage image) {
    ImageReference reference = ImageReference.of(image.reference());
    try {
      if (images.find(reference).isPresent()) {
        images.remove(reference);
      }
    } catch (ImageException e) {
      LOG.warn("failed to remove image {}: {}", reference, e.getMessage());
      return false;
    }
    db.write(
        handle -> {
          NodeImageStore.delete(handle, image.reference());
          audit.record(
              handle,
              Actor.SYSTEM,
              "image.remove",
              "image:" + reference.familiarName(),
              Map.of("reference", image.reference()),
              Map.of());
          return null;
        });
    return true;
  }
}
