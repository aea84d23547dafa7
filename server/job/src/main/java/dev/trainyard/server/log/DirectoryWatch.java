package dev.trainyard.server.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls listeners when a file in a directory is created or modified. Uses one thread and one
 * inotify instance for all directories. A directory is watched only while it has a listener.
 * Thread-safe.
 */
final class DirectoryWatch implements AutoCloseable {
  private final WatchService service;
  private final Map<WatchKey, Set<Runnable>> listeners = new HashMap<>();

  DirectoryWatch() {
    try {
      this.service = FileSystems.getDefault().newWatchService();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("log-watch").start(this::run);
  }

  /** Ends a watch. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param listener called on the watch thread; must return quickly
   */
  Watch watch(Path directory, Runnable listener) throws IOException {
    synchronized (listeners) {
      WatchKey key =
          directory.register(
              service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      listeners.computeIfAbsent(key, _ -> ConcurrentHashMap.newKeySet()).add(listener);
      return () -> removeListener(key, listener);
    }
  }

  private void removeListener(WatchKey key, Runnable listener) {
    synchronized (listeners) {
      Set<Runnable> keyListeners = listeners.get(key);
      if (keyListeners != null && keyListeners.remove(listener) && keyListeners.isEmpty()) {
        listeners.remove(key);
        key.cancel();
      }
    }
  }

  /** Returns the number of watched directories. */
  int watchedDirectoryCount() {
    synchronized (listeners) {
      return listeners.size();
    }
  }

  private void run() {
    try {
      while (true) {
        WatchKey key = service.take();
        key.pollEvents();
        key.reset();
        listenersOf(key).forEach(Runnable::run);
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      // The server is shutting down.
    }
  }

  private List<Runnable> listenersOf(WatchKey key) {
    synchronized (listeners) {
      return List.copyOf(listeners.getOrDefault(key, Set.of()));
    }
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
