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
 * An image store without an engine. The test defines what the registries offer and to whom, how
 * long a pull takes, and can read which images were pulled.
 */
public final class MemoryImages implements ImageStore {
  private static final long SIZE = 1_000;

  private final Map<String, ImageSettings> built = new HashMap<>();
  private final Map<String, LocalImage> local = new LinkedHashMap<>();

  /** Includes images that lost their names to others. */
  private final Map<String, LocalImage> byId = new HashMap<>();

  private final Map<String, Optional<RegistryLogin>> remote = new LinkedHashMap<>();
  private final List<String> pulled = new ArrayList<>();
  private final List<String> pushed = new ArrayList<>();
  private final Set<String> used = new HashSet<>();
  private final List<String> givenUp = new ArrayList<>();
  private Optional<ImageException> failure = Optional.empty();
  private Optional<ImageException> commitFailure = Optional.empty();
  private Optional<CountDownLatch> held = Optional.empty();
  private int number;

  /** Adds an image to the node. */
  public synchronized LocalImage add(String reference, Instant created) {
    return put(ImageReference.of(reference), created, Map.of());
  }

  /** Adds an image to a registry that anyone can pull. */
  public synchronized void offer(String reference) {
    remote.put(ImageReference.of(reference).toString(), Optional.empty());
  }

  /** Adds an image to a registry that can be pulled only with this login. */
  public synchronized void offer(String reference, RegistryLogin login) {
    remote.put(ImageReference.of(reference).toString(), Optional.of(login));
  }

  /** Makes every subsequent pull and push fail with this exception. */
  public synchronized void fail(ImageException with) {
    failure = Optional.of(with);
  }

  /** Makes every subsequent attempt to create an image from a task fail with this exception. */
  public synchronized void failMaking(ImageException with) {
    commitFailure = Optional.of(with);
  }

  public synchronized void work() {
    failure = Optional.empty();
    commitFailure = Optional.empty();
  }

  /** Blocks every subsequent pull halfway, until {@link #goOn}. */
  public synchronized void holdPulls() {
    held = Optional.of(new CountDownLatch(1));
  }

  public synchronized void goOn() {
    held.orElseThrow().countDown();
    held = Optional.empty();
  }

  /** Marks an image as used by a container. */
  public synchronized void use(String reference) {
    used.add(find(ImageReference.of(reference)).orElseThrow().id());
  }

  /** Returns every pull that was started, in order. */
  public synchronized List<String> pulled() {
    return List.copyOf(pulled);
  }

  public synchronized List<String> pushed() {
    return List.copyOf(pushed);
  }

  /** Returns the pulls whose thread was interrupted. */
  public synchronized List<String> givenUp() {
    return List.copyOf(givenUp);
  }

  private LocalImage put(ImageReference as, Instant created, Map<String, String> labels) {
    String id = "sha256:" + "%064x".formatted(++number);
    LocalImage image = new LocalImage(id, List.of(as.familiar()), SIZE, created, "amd64", labels);
    local.put(as.toString(), image);
    byId.put(id, image);
    return image;
  }

  @Override
  public ImageSettings settings(String name) {
    return ImageSettings.NONE;
  }

  /** Returns the settings of the images that were built, by full name. */
  public synchronized Map<String, ImageSettings> built() {
    return Map.copyOf(built);
  }

  @Override
  public synchronized LocalImage build(
      TaskId task,
      ImageReference as,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    LocalImage image = commit(task, as, labels);
    built.put(as.toString(), change.apply(ImageSettings.NONE));
    return image;
  }

  @Override
  public synchronized List<LocalImage> list() {
    return List.copyOf(local.values());
  }

  @Override
  public synchronized Optional<LocalImage> find(ImageReference reference) {
    return Optional.ofNullable(local.get(reference.toString()));
  }

  @Override
  public synchronized Optional<LocalImage> findById(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public synchronized Set<String> usedIds() {
    return Set.copyOf(used);
  }

  @Override
  public LocalImage pull(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    Optional<CountDownLatch> wait;
    synchronized (this) {
      pulled.add(reference.toString());
      check(reference, access);
      wait = held;
    }
    progress.accept(new PullProgress(SIZE / 2, SIZE));
    try {
      if (wait.isPresent()) {
        wait.get().await();
      }
    } catch (InterruptedException e) {
      synchronized (this) {
        givenUp.add(reference.toString());
      }
      throw new ImageException(Kind.GIVEN_UP, "canceled", e);
    }
    progress.accept(new PullProgress(SIZE, SIZE));
    synchronized (this) {
      return find(reference).orElseGet(() -> put(reference, Instant.EPOCH, Map.of()));
    }
  }

  private void check(ImageReference reference, RegistryAccess access) {
    if (failure.isPresent()) {
      throw failure.get();
    }
    Optional<RegistryLogin> needed = remote.get(reference.toString());
    if (needed == null) {
      throw new ImageException(Kind.UNKNOWN_IMAGE, "manifest unknown");
    }
    if (needed.isPresent() && !needed.equals(access.login())) {
      throw new ImageException(Kind.LOGIN_REFUSED, "unauthorized: authentication required");
    }
  }

  @Override
  public synchronized void push(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    if (failure.isPresent()) {
      throw failure.get();
    }
    load(reference);
    pushed.add(reference.toString());
    progress.accept(new PullProgress(SIZE, SIZE));
  }

  private LocalImage load(ImageReference reference) {
    return find(reference)
        .orElseThrow(() -> new ImageException(Kind.UNKNOWN_IMAGE, "no such image"));
  }

  @Override
  public synchronized void tag(ImageReference from, ImageReference to) {
    local.put(to.toString(), load(from));
  }

  @Override
  public synchronized void remove(ImageReference reference) {
    if (used.contains(load(reference).id())) {
      throw new ImageException(Kind.IN_USE, "a container uses the image");
    }
    LocalImage image = local.remove(reference.toString());
    if (!local.containsValue(image)) {
      byId.remove(image.id());
    }
  }

  @Override
  public synchronized LocalImage commit(
      TaskId task, ImageReference as, Map<String, String> labels) {
    if (commitFailure.isPresent()) {
      throw commitFailure.get();
    }
    return put(as, Instant.EPOCH, labels);
  }
}
