package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.NodeImage.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations of users on the images of the node. Thread-safe. */
final class LocalImages {
  private static final Logger LOG = LoggerFactory.getLogger(LocalImages.class);

  /**
   * Label of every image that is created from a task; the value of the label is the name of the
   * creator.
   */
  static final String OWNER_LABEL = "dev.trainyard.image.maker";

  private final Db db;
  private final ImageStore images;
  private final ImagePulls pulls;
  private final Catalog catalog;
  private final NodeImageService nodeImages;
  private final RegistryLogins logins;
  private final RegistryService registries;
  private final Audit audit;

  LocalImages(
      Db db,
      ImageStore images,
      ImagePulls pulls,
      Catalog catalog,
      NodeImageService nodeImages,
      RegistryLogins logins,
      RegistryService registries,
      Audit audit) {
    this.db = db;
    this.images = images;
    this.pulls = pulls;
    this.catalog = catalog;
    this.nodeImages = nodeImages;
    this.logins = logins;
    this.registries = registries;
    this.audit = audit;
  }

  /**
   * Returns one entry for each name of each image that the caller may use. Administrators may use
   * every finished image.
   */
  List<Map<String, Object>> list(Caller caller) {
    Set<String> usedIds = images.usedIds();
    Map<String, NodeImage> recordsByReference = new HashMap<>();
    db.read(NodeImageStore::list)
        .forEach(image -> recordsByReference.put(image.reference(), image));
    List<Map<String, Object>> views = new ArrayList<>();
    for (LocalImage image : images.list()) {
      for (String name : image.references()) {
        Optional<ImageReference> reference = ImageReference.parse(name);
        if (reference.isPresent()
            && nodeImages.mayUse(caller.userId(), caller.admin(), reference.get(), image)) {
          views.add(
              view(
                  reference.get(),
                  image,
                  usedIds.contains(image.id()),
                  Optional.ofNullable(recordsByReference.get(reference.get().toString()))));
        }
      }
    }
    return views;
  }

  private static Map<String, Object> view(
      ImageReference reference, LocalImage image, boolean inUse, Optional<NodeImage> nodeImage) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("reference", reference.familiarName());
    view.put("id", image.id());
    view.put("size", image.size());
    view.put("created", image.created().toEpochMilli());
    view.put("architecture", image.architecture());
    view.put("inUse", inUse);
    view.put("origin", nodeImage.map(NodeImage::origin).orElse(Origin.FOUND));
    view.put("restricted", nodeImage.map(NodeImage::restricted).orElse(false));
    view.put(
        "lastUsed", nodeImage.map(existing -> existing.lastUsed().toEpochMilli()).orElse(null));
    return view;
  }

  /**
   * Pulls an image with the caller's login, even if an image of this name is already on the node.
   */
  LocalImage pull(
      Caller caller,
      Actor actor,
      String name,
      CompletableFuture<?> stop,
      Consumer<PullProgress> progress) {
    ImageReference reference = reference(name);
    requireNotCreatedByOther(caller, reference);
    requireUsable(caller, reference);
    RegistryAccess access = access(caller, reference);
    boolean withLogin = access.login().isPresent();
    try {
      LocalImage image = pull(reference, access, withLogin ? caller.userId() : "", stop, progress);
      nodeImages.pullFinished(caller.userId(), withLogin, reference, image);
      record(actor, "image.pull", reference, Map.of(), Map.of("id", image.id()));
      return image;
    } catch (ImageException e) {
      throw ImageFaults.toException(reference, e);
    }
  }

  /**
   * Pulls an image; an absent image is marked as restricted before it is pulled with a login.
   *
   * @param user ID of the user whose login is used; empty without a login
   */
  private LocalImage pull(
      ImageReference reference,
      RegistryAccess access,
      String user,
      CompletableFuture<?> stop,
      Consumer<PullProgress> progress) {
    boolean markRestricted = !user.isEmpty() && images.find(reference).isEmpty();
    if (markRestricted) {
      nodeImages.pullStarted(reference);
    }
    try {
      return pulls.pull(reference, access, user, stop, progress);
    } catch (ImageException e) {
      // A mark that this pull did not set may belong to a concurrent pull with a login.
      if (markRestricted) {
        nodeImages.pullFailed(reference);
      }
      throw e;
    }
  }

  private ImageReference reference(String name) {
    return catalog
        .resolve(name)
        .or(() -> ImageReference.parse(name))
        .orElseThrow(() -> ImageFaults.badName(name));
  }

  private RegistryAccess access(Caller caller, ImageReference reference) {
    return new RegistryAccess(
        logins.find(caller.userId(), reference.registry()),
        registries.isPlainHttp(reference.registry()));
  }

  private void requireUsable(Caller caller, ImageReference reference) {
    if (!caller.admin() && registries.isForbidden(caller.userId(), reference.registry())) {
      throw new AppException(ErrorCode.BAD_REQUEST, ImageFaults.reservedRegistry(reference));
    }
  }

  /**
   * Rejects a pull that would replace an image created by another user, unless the caller is an
   * administrator.
   */
  private void requireNotCreatedByOther(Caller caller, ImageReference reference) {
    boolean createdByOther =
        nodeImages
            .find(reference)
            .filter(NodeImage::isUserCreated)
            .filter(nodeImage -> !nodeImage.creator().equals(caller.userId()))
            .isPresent();
    if (createdByOther && !caller.admin()) {
      throw new AppException(
          ErrorCode.FORBIDDEN,
          Message.of("error.image-of-another", "image", reference.familiarName()));
    }
  }

  /**
   * Removes an image that is not in use. Administrators may remove any such image, other users only
   * images that they created.
   */
  void remove(Caller caller, Actor actor, String name) {
    ImageReference reference =
        ImageReference.parse(name).orElseThrow(() -> ImageFaults.badName(name));
    if (!caller.admin() && !isCreator(caller, reference)) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.image-not-made"));
    }
    try {
      images.remove(reference);
    } catch (ImageException e) {
      throw ImageFaults.toException(reference, e);
    }
    nodeImages.imageRemoved(reference);
    record(actor, "image.remove", reference, Map.of("reference", reference.toString()), Map.of());
  }

  private boolean isCreator(Caller caller, ImageReference reference) {
    return nodeImages
        .find(reference)
        .filter(nodeImage -> nodeImage.creator().equals(caller.userId()))
        .isPresent();
  }

  /**
   * Creates an image from the files of a task.
   *
   * @param push whether to push the image to the registry in its name
   */
  LocalImage commit(
      Caller caller,
      Actor actor,
      TaskId task,
      String name,
      boolean push,
      Consumer<PullProgress> progress) {
    ImageReference reference = ImageNames.target(caller, name);
    requireNameAvailable(caller, reference, push);
    LocalImage image =
        create(
            caller,
            reference,
            () -> images.commit(task, reference, Map.of(OWNER_LABEL, caller.userName())));
    finish(caller, reference, image, push, progress);
    record(
        actor,
        "image.commit",
        reference,
        Map.of(),
        Map.of("id", image.id(), "task", task.toString(), "push", push));
    return image;
  }

  private LocalImage create(
      Caller creator, ImageReference reference, Supplier<LocalImage> creation) {
    NodeImageService.PreviousRecord previous =
        nodeImages.createStarted(creator.userId(), reference);
    try {
      return creation.get();
    } catch (ImageException e) {
      nodeImages.restore(reference, previous);
      throw ImageFaults.toException(reference, e);
    }
  }

  /**
   * Completes a new image. If {@code push} is true, the image may be used only after the registry
   * in its name has accepted it.
   */
  private void finish(
      Caller creator,
      ImageReference reference,
      LocalImage image,
      boolean push,
      Consumer<PullProgress> progress) {
    try {
      if (push) {
        nodeImages.created(reference, image);
        pulls.push(reference, access(creator, reference), progress);
      }
      nodeImages.createFinished(reference, image);
    } catch (ImageException e) {
      removeUnpushed(creator, reference, image);
      throw ImageFaults.toException(reference, e);
    }
  }

  /**
   * Removes the name of an image that could not be pushed, because the name would refer to an image
   * that the registry never accepted. Keeps the images of administrators, because administrators
   * may use any name without the consent of a registry.
   */
  private void removeUnpushed(Caller creator, ImageReference reference, LocalImage image) {
    if (creator.admin()) {
      nodeImages.createFinished(reference, image);
      return;
    }
    try {
      images.remove(reference);
      nodeImages.imageRemoved(reference);
    } catch (ImageException e) {
      // The image stays marked as unfinished, so it cannot be used.
      LOG.warn("failed to remove image {} after a failed push: {}", reference, e.getMessage());
    }
  }

  /** Returns the full name of an image to build; rejects a name that is not available. */
  ImageReference target(Caller caller, String name, boolean push) {
    ImageReference reference = ImageNames.target(caller, name);
    requireNameAvailable(caller, reference, push);
    return reference;
  }

  /**
   * Creates an image from the task of a build, and pushes it if the build requires this. If an
   * earlier server process already created the image, only the remaining steps are performed.
   *
   * @param jobLabel name of the image label whose value is the ID of the job that built the image
   */
  LocalImage build(
      Caller owner,
      TaskId task,
      ImageBuild build,
      String jobLabel,
      UnaryOperator<ImageSettings> change) {
    ImageReference reference = build.reference();
    ImageNames.requireOwn(owner, reference);
    requireNameAvailable(owner, reference, build.push());
    String job = task.job().value();
    Map<String, String> labels = Map.of(OWNER_LABEL, owner.userName(), jobLabel, job);
    LocalImage image =
        images
            .find(reference)
            .filter(existing -> job.equals(existing.labels().get(jobLabel)))
            .orElseGet(
                () ->
                    create(owner, reference, () -> images.build(task, reference, labels, change)));
    finish(owner, reference, image, build.push(), _ -> {});
    record(
        Actor.of(owner),
        "image.build",
        reference,
        Map.of(),
        Map.of("id", image.id(), "job", job, "push", build.push()));
    return image;
  }

  private void requireNameAvailable(Caller caller, ImageReference reference, boolean push) {
    if (push && !ImageNames.hasRegistry(reference)) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.image-push-where", "image", reference.familiarName()));
    }
    if (push) {
      requireUsable(caller, reference);
    }
    if (!push && ImageNames.hasRegistry(reference) && !caller.admin()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.image-push-needed", "image", reference.familiarName()));
    }
    if (!caller.admin() && catalog.contains(reference)) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.image-in-catalogue", "image", reference.familiarName()));
    }
    if (!caller.admin() && images.find(reference).isPresent() && !isCreator(caller, reference)) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.image-taken", "image", reference.familiarName()));
    }
  }

  private void record(
      Actor actor,
      String action,
      ImageReference reference,
      Map<String, ?> before,
      Map<String, ?> after) {
    db.write(
        handle -> {
          audit.record(handle, actor, action, "image:" + reference.familiarName(), before, after);
          return null;
        });
  }
}
