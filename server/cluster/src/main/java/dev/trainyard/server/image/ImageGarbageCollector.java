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
 * Removes images that the platform pulled and that have not been used for a configured time, and,
 * while their disk is nearly full, the least recently used images first. Keeps images that a
 * container uses, images in the catalog, images that an unfinished job needs, images created by
 * users, and images that the platform did not pull.
 */
final class ImageGarbageCollector {
  private static final Logger LOG = LoggerFactory.getLogger(ImageGarbageCollector.class);

  private final Db db;
  private final JobStore jobs;
  private final ImageStore images;
  private final Catalog catalog;
  private final Optional<Duration> keep;
  private final DiskThreshold low;
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
          return threshold.isUndercut(store.getUsableSpace(), store.getTotalSpace());
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
      Optional<Duration> keep,
      DiskThreshold low,
      Disk disk,
      InstantSource clock) {
    this.db = db;
    this.jobs = jobs;
    this.images = images;
    this.catalog = catalog;
    this.keep = keep;
    this.low = low;
    this.disk = disk;
    this.audit = new Audit(clock);
    this.clock = clock;
  }

  /** Removes images that are due; returns their names. */
  List<String> sweep() {
    List<String> removedIds = new ArrayList<>();
    Instant now = clock.instant();
    for (NodeImage image : candidates()) {
      boolean old = keep.isPresent() && image.used().isBefore(now.minus(keep.get()));
      if ((old || disk.isLow(low)) && remove(image)) {
        removedIds.add(image.reference());
      }
    }
    if (!removedIds.isEmpty()) {
      LOG.info("removed unused images: {}", removedIds);
    }
    return removedIds;
  }

  /** Returns the images that may be removed, the least recently used first. */
  private List<NodeImage> candidates() {
    Set<String> neededIds = neededIds();
    Set<String> used = images.usedIds();
    return db.read(NodeImageStore::list).stream()
        .filter(image -> image.origin() == Origin.PULLED)
        .filter(image -> !neededIds.contains(image.reference()))
        .filter(image -> !catalog.contains(ImageReference.of(image.reference())))
        .filter(image -> !isUsed(image, used))
        .sorted(Comparator.comparing(NodeImage::used))
        .toList();
  }

  private boolean isUsed(NodeImage known, Set<String> used) {
    return images
        .find(ImageReference.of(known.reference()))
        .map(LocalImage::id)
        .filter(used::contains)
        .isPresent();
  }

  /** Returns the images of unfinished jobs. */
  private Set<String> neededIds() {
    Set<String> written = new HashSet<>();
    db.read(
        handle -> {
          jobs.eachUnfinished(
              handle,
              found -> {
                for (RoleSpec role : found.spec().roles()) {
                  written.add(found.spec().image(role));
                }
              });
          return null;
        });
    Set<String> references = new HashSet<>();
    for (String image : written) {
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
              "image:" + reference.familiar(),
              Map.of("reference", image.reference()),
              Map.of());
          return null;
        });
    return true;
  }
}
