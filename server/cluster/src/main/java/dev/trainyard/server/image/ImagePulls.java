package dev.trainyard.server.image;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.model.ImageReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Pulls an image once for all callers that wait for it. A pull with a login is shared only among
 * callers with the same user and login, because access for one user does not imply access for
 * another. A pull is canceled when no caller waits for it anymore. Thread-safe.
 */
final class ImagePulls {
  private final ImageStore images;
  private final RegistryProbe.Check check;
  private final Map<Key, Pull> inProgress = new HashMap<>();

  ImagePulls(ImageStore images) {
    this(images, RegistryProbe.NONE);
  }

  /**
   * @param check called with every image before the engine pulls or pushes the image
   */
  ImagePulls(ImageStore images, RegistryProbe.Check check) {
    this.images = images;
    this.check = check;
  }

  /** Pushes an image to its registry. */
  void push(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    check.require(reference, access);
    images.push(reference, access, progress);
  }

  /**
   * @param reader ID of the user whose login is used; empty if no login is used
   */
  private record Key(ImageReference reference, String reader, RegistryAccess access) {}

  private static final class Pull {
    private final CompletableFuture<LocalImage> result = new CompletableFuture<>();
    private final List<Consumer<PullProgress>> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;
    private int waiterCount;

    private volatile Optional<PullProgress> latestProgress = Optional.empty();

    void progress(PullProgress progress) {
      latestProgress = Optional.of(progress);
      listeners.forEach(listener -> listener.accept(progress));
    }
  }

  /**
   * Pulls an image; returns when the image is on the node.
   *
   * @param reader ID of the user whose login is used; empty if no login is used
   * @param stop completed when the caller no longer needs the image
   * @throws ImageException if the pull fails; the kind is CANCELED if {@code stop} was completed
   */
  LocalImage pull(
      ImageReference reference,
      RegistryAccess access,
      String reader,
      CompletableFuture<?> stop,
      Consumer<PullProgress> progress) {
    Key key = new Key(reference, reader, access);
    Pull pull = startOrJoin(key, progress);
    try {
      // A later caller does not have to wait for the next update.
      pull.latestProgress.ifPresent(progress);
      CompletableFuture.anyOf(pull.result, stop).join();
      if (!pull.result.isDone()) {
        throw new ImageException(Kind.CANCELED, "canceled");
      }
      return pull.result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ImageException failure) {
        throw new ImageException(failure.kind(), failure.getMessage(), failure);
      }
      throw e;
    } finally {
      stopWaiting(key, pull, progress);
    }
  }

  private synchronized Pull startOrJoin(Key key, Consumer<PullProgress> progress) {
    Pull pull = inProgress.get(key);
    if (pull == null) {
      Pull newPull = new Pull();
      newPull.thread = Thread.ofVirtual().name("pull-", 0).unstarted(() -> run(key, newPull));
      inProgress.put(key, newPull);
      newPull.listeners.add(progress);
      newPull.thread.start();
      pull = newPull;
    } else {
      pull.listeners.add(progress);
    }
    pull.waiterCount++;
    return pull;
  }

  private void run(Key key, Pull pull) {
    try {
      check.require(key.reference(), key.access());
      LocalImage image = images.pull(key.reference(), key.access(), pull::progress);
      forget(key, pull);
      pull.result.complete(image);
    } catch (RuntimeException e) {
      forget(key, pull);
      pull.result.completeExceptionally(e);
    }
  }

  private synchronized void forget(Key key, Pull pull) {
    inProgress.remove(key, pull);
  }

  private synchronized void stopWaiting(Key key, Pull pull, Consumer<PullProgress> progress) {
    pull.listeners.remove(progress);
    pull.waiterCount--;
    if (pull.waiterCount == 0 && !pull.result.isDone()) {
      inProgress.remove(key, pull);
      pull.thread.interrupt();
    }
  }
}
