package dev.trainyard.server.image;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
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

/**
 * Provides the images of jobs on the node before resources are allocated to their tasks.
 * Thread-safe.
 */
final class ImageProvisioner implements JobImages {
  private final Db db;
  private final ImageStore images;
  private final ImagePulls pulls;
  private final Catalog catalog;
  private final NodeImageService machine;
  private final JobLogins logins;
  private final PullPolicy policy;
  private final InstantSource clock;

  ImageProvisioner(
      Db db,
      ImageStore images,
      ImagePulls pulls,
      Catalog catalog,
      NodeImageService machine,
      JobLogins logins,
      PullPolicy policy,
      InstantSource clock) {
    this.db = db;
    this.images = images;
    this.pulls = pulls;
    this.catalog = catalog;
    this.machine = machine;
    this.logins = logins;
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public UnaryOperator<String> provide(ImageRequest wanted, Progress progress) {
    Map<String, String> resolved = new HashMap<>();
    for (String written : wanted.images()) {
      if (wanted.stop().isDone()) {
        break;
      }
      Optional<CatalogEntry> entry = catalog.findApproved(written);
      ImageReference reference =
          entry
              .flatMap(found -> ImageReference.parse(found.reference()))
              .or(() -> ImageReference.parse(written))
              .orElseThrow(
                  () -> refused(progress, Message.of("error.image-name", "image", written)));
      try {
        boolean fixed = entry.filter(found -> found.seen().fixed()).isPresent();
        LocalImage image =
            fixed
                ? approved(entry.get(), reference, progress)
                : bring(wanted, written, reference, progress);
        ResolvedImage used = new ResolvedImage(written, reference.toString(), image.id());
        db.write(
            handle -> {
              ResolvedImageStore.put(handle, wanted.job().id(), used);
              return null;
            });
        // An image that the engine does not find by its digest is identified by its ID only.
        boolean named =
            !fixed && (reference.digest().isEmpty() || images.find(reference).isPresent());
        resolved.put(written, named ? reference.toString() : image.id());
      } catch (ImageException e) {
        if (!wanted.stop().isDone()) {
          throw failed(progress, reference, e);
        }
      }
    }
    return written -> resolved.getOrDefault(written, written);
  }

  /**
   * Returns exactly the image that an administrator approved, even if another image has its name
   * now.
   */
  private LocalImage approved(CatalogEntry entry, ImageReference reference, Progress progress) {
    LocalImage image =
        images
            .findById(entry.seen().id())
            .orElseThrow(
                () ->
                    refused(
                        progress,
                        Message.of("error.image-approved-gone", "name", entry.name())
                            .with("image", reference.familiarName())));
    machine
        .find(reference)
        .filter(known -> known.imageId().equals(image.id()))
        .ifPresent(_ -> machine.used(reference, image));
    return image;
  }

  private LocalImage bring(
      ImageRequest wanted, String written, ImageReference reference, Progress progress) {
    Optional<LocalImage> there = images.find(reference);
    String user = wanted.owner().id();
    NodeImageService.AccessCheck standing =
        machine.checkAccess(user, wanted.owner().admin(), reference, there);
    boolean madeHere = standing.isUserCreated();
    if (standing.usable() && (policy != PullPolicy.ALWAYS || madeHere)) {
      machine.used(reference, there.get());
      return there.get();
    }
    if (there.isPresent() && madeHere) {
      // In a registry the name may belong to another user, whose image must not be used instead.
      throw refused(
          progress, Message.of("error.image-of-another", "image", reference.familiarName()));
    }
    if (madeHere && !ImageNames.namesRegistry(reference)) {
      // The image was removed. At the public registry, the name belongs to another user.
      throw new ImageException(ImageException.Kind.UNKNOWN_IMAGE, "it was removed");
    }
    if (policy == PullPolicy.NEVER) {
      throw refused(progress, Message.of("error.image-never", "image", reference.familiarName()));
    }
    if (!logins.mayUse(wanted, reference)) {
      throw refused(progress, ImageFaults.reserved(reference));
    }
    RegistryAccess access = logins.access(wanted, written, reference, progress);
    boolean withLogin = access.login().isPresent();
    Instant began = clock.instant();
    boolean toBeMarked = withLogin && there.isEmpty();
    if (toBeMarked) {
      machine.pulling(reference);
    }
    LocalImage image;
    try {
      image =
          pulls.pull(
              reference,
              access,
              withLogin ? user : "",
              wanted.stop(),
              progressEvents(reference, progress));
    } catch (ImageException e) {
      if (toBeMarked) {
        machine.notPulled(reference);
      }
      throw e;
    }
    machine.pulled(user, withLogin, reference, image);
    if (there.isEmpty()) {
      progress.addEvent(
          false,
          Message.of("event.pulled", "image", reference.familiarName())
              .with("seconds", Duration.between(began, clock.instant()).toSeconds())
              .with("size", ByteFormat.of(image.size())));
    }
    return image;
  }

  private Consumer<PullProgress> progressEvents(ImageReference reference, Progress progress) {
    ProgressSteps steps = new ProgressSteps(clock);
    progress.now(Message.of("wait.pulling", "image", reference.familiarName()));
    return now -> {
      Message far =
          Message.of("wait.pulling-progress", "image", reference.familiarName())
              .with("percent", now.percent())
              .with("done", ByteFormat.of(now.done()))
              .with("total", ByteFormat.of(now.total()));
      progress.now(far);
      if (steps.isDue(now.percent())) {
        progress.addEvent(false, far);
      }
    };
  }

  private static EngineException refused(Progress progress, Message message) {
    progress.addEvent(true, message);
    return new EngineException(message.english());
  }

  private static EngineException failed(
      Progress progress, ImageReference reference, ImageException e) {
    Message message = ImageFaults.message(reference, e);
    progress.addEvent(true, message);
    return e.isTransient()
        ? EngineException.transientFailure(message.english())
        : new EngineException(message.english());
  }
}
