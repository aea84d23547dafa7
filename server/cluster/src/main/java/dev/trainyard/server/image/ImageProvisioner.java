package dev.trainyard.server.image;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.ResolvedImage;
import dev.trainyard.server.job.ResolvedImageStore;
import dev.trainyard.server.queue.JobImages;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that the images of a job are on the node before resources are allocated to its tasks.
 * Thread-safe.
 */
final class ImageProvisioner implements JobImages {
  private static final Logger LOG = LoggerFactory.getLogger(ImageProvisioner.class);

  private final Db db;
  private final ImageStore images;
  private final ImagePulls pulls;
  private final Catalog catalog;
  private final NodeImageService nodeImages;
  private final JobLogins logins;
  private final PullPolicy policy;
  private final InstantSource clock;

  ImageProvisioner(
      Db db,
      ImageStore images,
      ImagePulls pulls,
      Catalog catalog,
      NodeImageService nodeImages,
      JobLogins logins,
      PullPolicy policy,
      InstantSource clock) {
    this.db = db;
    this.images = images;
    this.pulls = pulls;
    this.catalog = catalog;
    this.nodeImages = nodeImages;
    this.logins = logins;
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public UnaryOperator<String> provide(ImageRequest request, Progress progress) {
    Map<String, String> resolved = new HashMap<>();
    for (String imageName : request.images()) {
      if (request.stop().isDone()) {
        break;
      }
      Optional<CatalogEntry> entry = catalog.findApproved(imageName);
      ImageReference reference =
          entry
              .flatMap(catalogEntry -> ImageReference.parse(catalogEntry.reference()))
              .or(() -> ImageReference.parse(imageName))
              .orElseThrow(
                  () -> rejected(progress, Message.of("error.image-name", "image", imageName)));
      try {
        boolean fixed =
            entry.filter(catalogEntry -> catalogEntry.reviewedImage().fixed()).isPresent();
        LocalImage image =
            fixed
                ? loadApproved(entry.get(), reference, progress)
                : provideImage(request, imageName, reference, progress);
        ResolvedImage resolvedImage =
            new ResolvedImage(imageName, reference.toString(), image.id());
        db.write(
            handle -> {
              ResolvedImageStore.put(handle, request.job().id(), resolvedImage);
              return null;
            });
        // If the engine does not find the image by its digest, the task refers to the image by its
        // ID.
        boolean byName =
            !fixed && (reference.digest().isEmpty() || images.find(reference).isPresent());
        resolved.put(imageName, byName ? reference.toString() : image.id());
      } catch (ImageException e) {
        if (!request.stop().isDone()) {
          throw pullFailure(progress, reference, e);
        }
      }
    }
    return imageName -> resolved.getOrDefault(imageName, imageName);
  }

  /**
   * Returns exactly the image that an administrator approved, even if the name of the image now
   * refers to another image.
   */
  private LocalImage loadApproved(CatalogEntry entry, ImageReference reference, Progress progress) {
    LocalImage image =
        images
            .findById(entry.reviewedImage().id())
            .orElseThrow(
                () ->
                    rejected(
                        progress,
                        Message.of("error.image-approved-gone", "name", entry.name())
                            .with("image", reference.familiarName())));
    nodeImages
        .find(reference)
        .filter(nodeImage -> nodeImage.imageId().equals(image.id()))
        .ifPresent(_ -> nodeImages.imageUsed(reference, image));
    return image;
  }

  private LocalImage provideImage(
      ImageRequest request, String imageName, ImageReference reference, Progress progress) {
    Optional<LocalImage> localImage = images.find(reference);
    String user = request.owner().id();
    NodeImageService.AccessCheck accessCheck =
        nodeImages.checkAccess(user, request.owner().admin(), reference, localImage);
    boolean userCreated = accessCheck.isUserCreated();
    if (accessCheck.usable() && (policy != PullPolicy.ALWAYS || userCreated)) {
      nodeImages.imageUsed(reference, localImage.get());
      return localImage.get();
    }
    if (localImage.isPresent() && userCreated) {
      // The image is not pulled: in a registry, the name may belong to another user, whose image
      // must not be used instead.
      throw rejected(
          progress, Message.of("error.image-of-another", "image", reference.familiarName()));
    }
    if (userCreated && !ImageNames.hasRegistry(reference)) {
      // The image was removed. It is not pulled, because in the public registry, the name may
      // belong to another user.
      throw new ImageException(ImageException.Kind.UNKNOWN_IMAGE, "the image was removed");
    }
    if (policy == PullPolicy.NEVER) {
      throw rejected(progress, Message.of("error.image-never", "image", reference.familiarName()));
    }
    if (!logins.mayUse(request, reference)) {
      throw rejected(progress, ImageFaults.reservedRegistry(reference));
    }
    RegistryAccess access = logins.access(request, imageName, reference, progress);
    boolean withLogin = access.login().isPresent();
    Instant startTime = clock.instant();
    boolean markRestricted = withLogin && localImage.isEmpty();
    if (markRestricted) {
      nodeImages.pullStarted(reference);
    }
    LocalImage image;
    try {
      image =
          pulls.pull(
              reference,
              access,
              withLogin ? user : "",
              request.stop(),
              progressEvents(reference, progress));
    } catch (ImageException e) {
      if (markRestricted) {
        nodeImages.pullFailed(reference);
      }
      throw e;
    }
    nodeImages.pullFinished(user, withLogin, reference, image);
    if (localImage.isEmpty()) {
      progress.addEvent(
          false,
          Message.of("event.pulled", "image", reference.familiarName())
              .with("seconds", Duration.between(startTime, clock.instant()).toSeconds())
              .with("size", DataSize.text(image.size())));
    }
    return image;
  }

  private Consumer<PullProgress> progressEvents(ImageReference reference, Progress progress) {
    ProgressSteps steps = new ProgressSteps(clock);
    progress.setReason(Message.of("wait.pulling", "image", reference.familiarName()));
    return current -> {
      Message message =
          Message.of("wait.pulling-progress", "image", reference.familiarName())
              .with("percent", current.percent())
              .with("done", DataSize.text(current.done()))
              .with("total", DataSize.text(current.total()));
      progress.setReason(message);
      if (steps.isDue(current.percent())) {
        progress.addEvent(false, message);
      }
    };
  }

  private static EngineException rejected(Progress progress, Message message) {
    progress.addEvent(true, message);
    return EngineException.rejection(message);
  }

  private static EngineException pullFailure(
      Progress progress, ImageReference reference, ImageException e) {
    Message message = ImageFaults.message(reference, e);
    LOG.warn("{}", message.english());
    progress.addEvent(true, message);
    return e.isTransient()
        ? EngineException.transientFailure(message)
        : EngineException.rejection(message);
  }
}
