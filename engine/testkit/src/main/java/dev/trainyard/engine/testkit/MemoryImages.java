package dev.trainyard.engine.testkit;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An image store in memory. The test defines the images of the registries and the required logins,
 * can block pulls, and can read which images were pulled.
 */
public final class MemoryImages implements ImageStore {
  private static final long SIZE = 1_000;

  private final Map<String, ImageSettings> builtSettings = new HashMap<>();
  private final Map<String, LocalImage> localImages = new LinkedHashMap<>();

  /** Includes images that no longer have a name. */
  private final Map<String, LocalImage> byId = new HashMap<>();

  private final Map<String, Optional<RegistryLogin>> requiredLogins = new LinkedHashMap<>();
  private final List<String> pulledNames = new ArrayList<>();
  private final List<String> pushedNames = new ArrayList<>();
  private final Set<String> usedImageIds = new HashSet<>();
  private final List<String> canceledPulls = new ArrayList<>();
  private Optional<ImageException> failure = Optional.empty();
  private Optional<ImageException> commitFailure = Optional.empty();
  private Optional<CountDownLatch> pullGate = Optional.empty();
  private int lastNumber;

  /** Adds an image to the node. */
  public synchronized LocalImage add(String reference, Instant created) {
    return put(ImageReference.of(reference), created, Map.of());
  }

  /** Adds an image to a registry. It can be pulled without a login. */
  public synchronized void offer(String reference) {
    requiredLogins.put(ImageReference.of(reference).toString(), Optional.empty());
  }

  /** Adds an image to a registry. It can be pulled only with this login. */
  public synchronized void offer(String reference, RegistryLogin login) {
    requiredLogins.put(ImageReference.of(reference).toString(), Optional.of(login));
  }

  /** Lets every subsequent pull and push fail with this exception. */
  public synchronized void fail(ImageException exception) {
    failure = Optional.of(exception);
  }

  /** Lets every subsequent attempt to create an image from a task fail with this exception. */
  public synchronized void failCommits(ImageException exception) {
    commitFailure = Optional.of(exception);
  }

  public synchronized void stopFailing() {
    failure = Optional.empty();
    commitFailure = Optional.empty();
  }

  /** Blocks every subsequent pull halfway, until {@link #resumePulls}. */
  public synchronized void blockPulls() {
    pullGate = Optional.of(new CountDownLatch(1));
  }

  public synchronized void resumePulls() {
    pullGate.orElseThrow().countDown();
    pullGate = Optional.empty();
  }

  /** Marks an image as used by a container. */
  public synchronized void use(String reference) {
    usedImageIds.add(find(ImageReference.of(reference)).orElseThrow().id());
  }

  /** Returns every pull that was started, in order. */
  public synchronized List<String> pulled() {
    return List.copyOf(pulledNames);
  }

  public synchronized List<String> pushed() {
    return List.copyOf(pushedNames);
  }

  /** Returns the pulls whose thread was interrupted. */
  public synchronized List<String> canceledPulls() {
    return List.copyOf(canceledPulls);
  }

  private LocalImage put(ImageReference target, Instant created, Map<String, String> labels) {
    String id = "sha256:" + "%064x".formatted(++lastNumber);
    LocalImage image =
        new LocalImage(id, List.of(target.familiarName()), SIZE, created, "amd64", labels);
    localImages.put(target.toString(), image);
    byId.put(id, image);
    return image;
  }

  @Override
  public ImageSettings settings(String name) {
    return ImageSettings.NONE;
  }

  /** Returns the settings of the images that were built, by full name. */
  public synchronized Map<String, ImageSettings> built() {
    return Map.copyOf(builtSettings);
  }

  @Override
  public synchronized LocalImage build(
      TaskId task,
      ImageReference target,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    LocalImage image = commit(task, target, labels);
    builtSettings.put(target.toString(), change.apply(ImageSettings.NONE));
    return image;
  }

  @Override
  public synchronized List<LocalImage> list() {
    return List.copyOf(localImages.values());
  }

  @Override
  public synchronized Optional<LocalImage> find(ImageReference reference) {
    return Optional.ofNullable(localImages.get(reference.toString()));
  }

  @Override
  public synchronized Optional<LocalImage> findById(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public synchronized Set<String> usedIds() {
    return Set.copyOf(usedImageIds);
  }

  @Override
  public LocalImage pull(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    Optional<CountDownLatch> gate;
    synchronized (this) {
      pulledNames.add(reference.toString());
      checkAccess(reference, access);
      gate = pullGate;
    }
    progress.accept(new PullProgress(SIZE / 2, SIZE));
    try {
      if (gate.isPresent()) {
        gate.get().await();
      }
    } catch (InterruptedException e) {
      synchronized (this) {
        canceledPulls.add(reference.toString());
      }
      throw new ImageException(Kind.CANCELED, "canceled", e);
    }
    progress.accept(new PullProgress(SIZE, SIZE));
    synchronized (this) {
      return find(reference).orElseGet(() -> put(reference, Instant.EPOCH, Map.of()));
    }
  }

  private void checkAccess(ImageReference reference, RegistryAccess access) {
    if (failure.isPresent()) {
      throw failure.get();
    }
    Optional<RegistryLogin> requiredLogin = requiredLogins.get(reference.toString());
    if (requiredLogin == null) {
      throw new ImageException(Kind.UNKNOWN_IMAGE, "manifest unknown");
    }
    if (requiredLogin.isPresent() && !requiredLogin.equals(access.login())) {
      throw new ImageException(Kind.LOGIN_REFUSED, "unauthorized: authentication required");
    }
  }

  @Override
  public synchronized void push(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    if (failure.isPresent()) {
      throw failure.get();
    }
    requireImage(reference);
    pushedNames.add(reference.toString());
    progress.accept(new PullProgress(SIZE, SIZE));
  }

  private LocalImage requireImage(ImageReference reference) {
    return find(reference)
        .orElseThrow(() -> new ImageException(Kind.UNKNOWN_IMAGE, "no such image"));
  }

  @Override
  public synchronized void tag(ImageReference existingName, ImageReference newName) {
    localImages.put(newName.toString(), requireImage(existingName));
  }

  @Override
  public synchronized void remove(ImageReference reference) {
    if (usedImageIds.contains(requireImage(reference).id())) {
      throw new ImageException(Kind.IN_USE, "a container uses the image");
    }
    LocalImage image = localImages.remove(reference.toString());
    if (!localImages.containsValue(image)) {
      byId.remove(image.id());
    }
  }

  @Override
  public synchronized LocalImage commit(
      TaskId task, ImageReference target, Map<String, String> labels) {
    if (commitFailure.isPresent()) {
      throw commitFailure.get();
    }
    return put(target, Instant.EPOCH, labels);
  }
}
