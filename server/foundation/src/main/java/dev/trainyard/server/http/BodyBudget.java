package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Limits the memory used by request bodies. Each user may hold a quarter of it, or one body if that
 * is more. All clients that are not signed in may together hold a quarter, and each of their
 * addresses a sixteenth, so that they cannot block users. If they exceed that, the oldest of their
 * incomplete bodies is dropped, so that bodies that never end do not prevent a sign-in.
 * Thread-safe.
 */
final class BodyBudget {
  private static final String GUESTS = "guests";
  private static final int RETRY_SECONDS = 2;

  private final long maxBytes;
  private final Map<String, Long> bytesByKey = new HashMap<>();

  /** Incomplete bodies of clients that are not signed in, oldest first. */
  private final Set<Account> unfinished = new LinkedHashSet<>();

  private long total;

  BodyBudget(DataSize maxBytes) {
    this.maxBytes = maxBytes.bytes();
  }

  /**
   * Returns the account of a body sent by a signed-in user.
   *
   * @param largest the largest body that the request may have
   */
  Account ofUser(String userId, DataSize largest) {
    return new Account("user " + userId, Math.max(maxBytes / 4, largest.bytes()), false);
  }

  /** Returns the account of a body sent from an address without signing in. */
  Account ofGuest(String address) {
    return new Account("address " + address, maxBytes / 16, true);
  }

  synchronized long bytesInUse() {
    return total;
  }

  synchronized int senders() {
    return bytesByKey.size();
  }

  /** Returns the response to a body for which no memory is available. */
  static AppException full() {
    return new AppException(ErrorCode.UNAVAILABLE, Message.of("error.bodies-full"));
  }

  /** The bytes of one body; released when it is closed. Confined to one request. */
  final class Account implements AutoCloseable {
    private final String sender;
    private final long share;
    private final boolean guest;
    private volatile Runnable onEnded = () -> {};
    private long bytesTaken;
    private boolean closed;

    private Account(String sender, long share, boolean guest) {
      this.sender = sender;
      this.share = share;
      this.guest = guest;
    }

    /**
     * Sets a callback that is called, on any thread, if the body is dropped in favor of another
     * one.
     */
    void onEnded(Runnable callback) {
      onEnded = callback;
    }

    /**
     * Adds received bytes.
     *
     * @throws AppException if the sender or all senders hold too much; nothing is added then
     */
    void take(int bytes) {
      List<Account> ended = new ArrayList<>();
      try {
        reserve(this, bytes, ended);
      } finally {
        ended.forEach(account -> account.onEnded.run());
      }
    }

    /** Marks the body as complete: from now on it is not dropped in favor of others. */
    void finish() {
      synchronized (BodyBudget.this) {
        unfinished.remove(this);
      }
    }

    @Override
    public void close() {
      release(this);
    }
  }

  private synchronized void reserve(Account account, int bytes, List<Account> ended) {
    if (account.closed) {
      return;
    }
    while (bytesOf(account.sender) + bytes > account.share) {
      if (!endOldest(account, other -> other.sender.equals(account.sender), ended)) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-many-bodies", "seconds", RETRY_SECONDS));
      }
    }
    while (total + bytes > maxBytes || (account.guest && bytesOf(GUESTS) + bytes > maxBytes / 4)) {
      if (!endOldest(account, _ -> true, ended)) {
        throw full();
      }
    }
    account.bytesTaken += bytes;
    add(account, bytes);
    if (account.guest) {
      unfinished.add(account);
    }
  }

  private boolean endOldest(Account newest, Predicate<Account> filter, List<Account> ended) {
    Optional<Account> oldest =
        unfinished.stream().filter(other -> other != newest && filter.test(other)).findFirst();
    oldest.ifPresent(
        account -> {
          release(account);
          ended.add(account);
        });
    return oldest.isPresent();
  }

  private synchronized void release(Account account) {
    account.closed = true;
    unfinished.remove(account);
    add(account, -account.bytesTaken);
    account.bytesTaken = 0;
  }

  private void add(Account account, long bytes) {
    total += bytes;
    addTo(account.sender, bytes);
    if (account.guest) {
      addTo(GUESTS, bytes);
    }
  }

  private void addTo(String key, long bytes) {
    long now = bytesOf(key) + bytes;
    if (now == 0) {
      bytesByKey.remove(key);
    } else {
      bytesByKey.put(key, now);
    }
  }

  private long bytesOf(String key) {
    return bytesByKey.getOrDefault(key, 0L);
  }
}
