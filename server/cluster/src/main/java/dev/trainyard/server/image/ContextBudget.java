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
 * Limits build contexts: the number of uploads at the same time, for each user and in total, and
 * the files and bytes of the contexts that a user has on disk. A context counts until it is
 * deleted. Thread-safe.
 */
final class ContextBudget {
  private static final int UPLOADS_PER_USER = 2;
  private static final int RETRY_SECONDS = 5;

  /** An upload stores its directories in memory, which takes up to 35 MB. */
  private static final long HEAP_PER_UPLOAD = 128L << 20;

  private static final int MEGABYTE = 1 << 20;

  private final int mostUploads;
  private final long mostEntries;
  private final long mostBytes;
  private final Map<String, User> users = new HashMap<>();
  private int uploads;

  /** Total of the contexts of one user. */
  private static final class User {
    private final Map<String, Size> contexts = new HashMap<>();
    private long entries;
    private long bytes;
    private int uploads;

    void add(String directory, long moreEntries, long moreBytes) {
      Size size = contexts.computeIfAbsent(directory, _ -> new Size());
      size.entries += moreEntries;
      size.bytes += moreBytes;
      entries += moreEntries;
      bytes += moreBytes;
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

  ContextBudget(int mostUploads, long mostEntries, long mostBytes) {
    this.mostUploads = mostUploads;
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /** Returns the limits for this heap, given the size that one context may have. */
  static ContextBudget of(DataSize largest) {
    return new ContextBudget(
        Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_UPLOAD, 2, 8),
        2L * ContextArchive.MAX_ENTRIES,
        4 * largest.bytes());
  }

  /**
   * Begins an upload.
   *
   * @throws AppException TOO_MANY_REQUESTS or UNAVAILABLE if too many are in progress
   */
  synchronized Upload begin(String userId, String directory) {
    User user = users.computeIfAbsent(userId, _ -> new User());
    if (user.uploads >= UPLOADS_PER_USER) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-contexts", "most", UPLOADS_PER_USER)
              .with("seconds", RETRY_SECONDS));
    }
    if (uploads >= mostUploads) {
      removeIfUnused(userId);
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.contexts-busy"));
    }
    user.uploads++;
    uploads++;
    return new Upload(userId, directory);
  }

  /** An upload in progress. Its context still counts after it is closed. */
  final class Upload implements AutoCloseable {
    private final String userId;
    private final String directory;

    private Upload(String userId, String directory) {
      this.userId = userId;
      this.directory = directory;
    }

    /**
     * Counts more of the context.
     *
     * @throws AppException CONFLICT if the contexts of the user would exceed the limit; nothing is
     *     counted then
     */
    void take(long entries, long bytes) {
      synchronized (ContextBudget.this) {
        User user = users.get(userId);
        if (user.entries + entries > mostEntries) {
          throw new AppException(
              ErrorCode.CONFLICT, Message.of("error.contexts-many", "most", mostEntries));
        }
        if (user.bytes + bytes > mostBytes) {
          throw new AppException(
              ErrorCode.CONFLICT, Message.of("error.contexts-large", "most", mostBytes / MEGABYTE));
        }
        user.add(directory, entries, bytes);
      }
    }

    @Override
    public void close() {
      synchronized (ContextBudget.this) {
        users.get(userId).uploads--;
        uploads--;
        removeIfUnused(userId);
      }
    }
  }

  /** Counts a context that an earlier process of the server left, if it is not counted yet. */
  synchronized void add(String userId, String directory, long entries, long bytes) {
    User user = users.computeIfAbsent(userId, _ -> new User());
    if (!user.contexts.containsKey(directory)) {
      user.add(directory, entries, bytes);
    }
  }

  /** Returns the directories of the contexts of a user. */
  synchronized Set<String> directories(String userId) {
    return Optional.ofNullable(users.get(userId))
        .map(user -> Set.copyOf(user.contexts.keySet()))
        .orElse(Set.of());
  }

  /** Stops counting a context that was deleted. */
  synchronized void deleted(String directory) {
    users.values().forEach(user -> user.remove(directory));
    users.values().removeIf(ContextBudget::isUnused);
  }

  /** Number of users that have contexts or uploads. */
  synchronized int users() {
    return users.size();
  }

  private void removeIfUnused(String userId) {
    if (isUnused(users.get(userId))) {
      users.remove(userId);
    }
  }

  private static boolean isUnused(User user) {
    return user.uploads == 0 && user.contexts.isEmpty();
  }
}
