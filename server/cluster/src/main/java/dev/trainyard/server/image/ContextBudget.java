package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Limits build contexts: the number of concurrent uploads per user and in total, and the number of
 * files and bytes of a user's contexts on disk. A context counts until it is deleted. Thread-safe.
 */
final class ContextBudget {
  private static final int MAX_UPLOADS_PER_USER = 2;
  private static final int RETRY_SECONDS = 5;

  /**
   * Heap size that allows one concurrent upload. An upload keeps its directory tree in memory,
   * which takes up to 35 MB.
   */
  private static final long HEAP_PER_UPLOAD = 128L << 20;

  private static final int MEGABYTE = 1 << 20;

  private final int maxUploads;
  private final long maxEntries;
  private final long maxBytes;
  private final Map<String, UserContexts> contextsByUser = new HashMap<>();
  private int uploads;

  /** The contexts of one user, with their sizes and their total size. */
  private static final class UserContexts {
    private final Map<String, Size> contexts = new HashMap<>();
    private long entries;
    private long bytes;
    private int uploads;

    void add(String directory, long addedEntries, long addedBytes) {
      Size size = contexts.computeIfAbsent(directory, _ -> new Size());
      size.entries += addedEntries;
      size.bytes += addedBytes;
      entries += addedEntries;
      bytes += addedBytes;
    }

    void remove(String directory) {
      Size size = contexts.remove(directory);
      if (size != null) {
        entries -= size.entries;
        bytes -= size.bytes;
      }
    }
  }

  private static final class Size {
    private long entries;
    private long bytes;
  }

  ContextBudget(int maxUploads, long maxEntries, long maxBytes) {
    this.maxUploads = maxUploads;
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  /**
   * Creates a budget with limits for the heap size of this process and the maximum size of a
   * context.
   */
  static ContextBudget of(DataSize maxContextSize) {
    return new ContextBudget(
        Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_UPLOAD, 2, 8),
        2L * ContextArchive.MAX_ENTRIES,
        4 * maxContextSize.bytes());
  }

  /**
   * Begins an upload.
   *
   * @throws AppException TOO_MANY_REQUESTS if this user has too many uploads in progress,
   *     UNAVAILABLE if all users together have too many
   */
  synchronized Upload begin(String userId, String directory) {
    UserContexts user = contextsByUser.computeIfAbsent(userId, _ -> new UserContexts());
    if (user.uploads >= MAX_UPLOADS_PER_USER) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-contexts", "most", MAX_UPLOADS_PER_USER)
              .with("seconds", RETRY_SECONDS));
    }
    if (uploads >= maxUploads) {
      removeIfUnused(userId);
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.contexts-busy"));
    }
    user.uploads++;
    uploads++;
    return new Upload(userId, directory);
  }

  /** An upload in progress. The context still counts after the upload is closed. */
  final class Upload implements AutoCloseable {
    private final String userId;
    private final String directory;

    private Upload(String userId, String directory) {
      this.userId = userId;
      this.directory = directory;
    }

    /**
     * Adds entries and bytes to the size of the context.
     *
     * @throws AppException CONFLICT if the contexts of the user would exceed a limit; in this case
     *     nothing is added
     */
    void reserve(long entries, long bytes) {
      synchronized (ContextBudget.this) {
        UserContexts user = contextsByUser.get(userId);
        if (user.entries + entries > maxEntries) {
          throw new AppException(
              ErrorCode.CONFLICT, Message.of("error.contexts-many", "most", maxEntries));
        }
        if (user.bytes + bytes > maxBytes) {
          throw new AppException(
              ErrorCode.CONFLICT, Message.of("error.contexts-large", "most", maxBytes / MEGABYTE));
        }
        user.add(directory, entries, bytes);
      }
    }

    @Override
    public void close() {
      synchronized (ContextBudget.this) {
        contextsByUser.get(userId).uploads--;
        uploads--;
        removeIfUnused(userId);
      }
    }
  }

  /** Counts a context that an earlier server process received, unless it is already counted. */
  synchronized void add(String userId, String directory, long entries, long bytes) {
    UserContexts user = contextsByUser.computeIfAbsent(userId, _ -> new UserContexts());
    if (!user.contexts.containsKey(directory)) {
      user.add(directory, entries, bytes);
    }
  }

  /** Returns the directories of the contexts of a user. */
  synchronized Set<String> directories(String userId) {
    return Optional.ofNullable(contextsByUser.get(userId))
        .map(user -> Set.copyOf(user.contexts.keySet()))
        .orElse(Set.of());
  }

  /** Stops counting a context that was deleted. */
  synchronized void stopCounting(String directory) {
    contextsByUser.values().forEach(user -> user.remove(directory));
    contextsByUser.values().removeIf(ContextBudget::isUnused);
  }

  /** Returns the number of users that have contexts or uploads. */
  synchronized int userCount() {
    return contextsByUser.size();
  }

  private void removeIfUnused(String userId) {
    if (isUnused(contextsByUser.get(userId))) {
      contextsByUser.remove(userId);
    }
  }

  private static boolean isUnused(UserContexts user) {
    return user.uploads == 0 && user.contexts.isEmpty();
  }
}
