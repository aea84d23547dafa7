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
 * Limits the memory used by request bodies and their parsed JSON. Each user may use a quarter of
 * the memory, or one body of the maximum size if that is more. Clients that are not signed in may
 * use a quarter together, and a sixteenth per address, so that they cannot block users. If such
 * clients exceed their share, their oldest incomplete body is dropped, so that bodies that never
 * end do not prevent a sign-in. Thread-safe.
 */
final class BodyBudget {
  private static final String GUESTS_KEY = "guests";
  private static final int RETRY_SECONDS = 2;

  private final long maxBytes;
  private final Map<String, Long> bytesByKey = new HashMap<>();

  /** Incomplete bodies of clients that are not signed in, oldest first. */
  private final Set<Account> incompleteBodies = new LinkedHashSet<>();

  private long totalBytes;

  BodyBudget(DataSize maxBytes) {
    this.maxBytes = maxBytes.bytes();
  }

  /**
   * Returns the account of a body sent by a signed-in user.
   *
   * @param maxBodySize the largest body that the request may have
   */
  Account ofUser(String userId, DataSize maxBodySize) {
    return new Account("user " + userId, Math.max(maxBytes / 4, maxBodySize.bytes()), false);
  }

  /** Returns the account of a body sent by a client that is not signed in. */
  Account ofGuest(String address) {
    return new Account("address " + address, maxBytes / 16, true);
  }

  synchronized long bytesInUse() {
    return totalBytes;
  }

  synchronized int senders() {
    return bytesByKey.size();
  }

  /** Returns the error for a body for which no memory is available. */
  static AppException memoryExhausted() {
    return new AppException(ErrorCode.UNAVAILABLE, Message.of("error.bodies-full"));
  }

  /**
   * The memory of one body, which is released when this account is closed. Used by one request
   * only.
   */
  final class Account implements AutoCloseable {
    private final String sender;
    private final long maxShare;
    private final boolean guest;
    private volatile Runnable onDropped = () -> {};
    private long bytesReserved;
    private boolean finished;
    private boolean closed;

    private Account(String sender, long maxShare, boolean guest) {
      this.sender = sender;
      this.maxShare = maxShare;
      this.guest = guest;
    }

    /**
     * Sets a callback that is called, on any thread, if the body is dropped to free memory for
     * another body.
     */
    void onDropped(Runnable callback) {
      onDropped = callback;
    }

    /**
     * Adds received bytes, or the memory of a parsed body.
     *
     * @throws AppException if the share of the sender or the memory for all senders is exhausted;
     *     nothing is added in that case
     */
    void addBytes(int bytes) {
      List<Account> droppedAccounts = new ArrayList<>();
      try {
        reserve(this, bytes, droppedAccounts);
      } finally {
        droppedAccounts.forEach(account -> account.onDropped.run());
      }
    }

    /** Marks the body as complete. A complete body is never dropped. */
    void finish() {
      synchronized (BodyBudget.this) {
        finished = true;
        incompleteBodies.remove(this);
      }
    }

    @Override
    public void close() {
      release(this);
    }
  }

  private synchronized void reserve(Account account, int bytes, List<Account> droppedAccounts) {
    if (account.closed) {
      return;
    }
    while (bytesOf(account.sender) + bytes > account.maxShare) {
      if (!dropOldest(account, other -> other.sender.equals(account.sender), droppedAccounts)) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-many-bodies", "seconds", RETRY_SECONDS));
      }
    }
    while (totalBytes + bytes > maxBytes
        || (account.guest && bytesOf(GUESTS_KEY) + bytes > maxBytes / 4)) {
      if (!dropOldest(account, _ -> true, droppedAccounts)) {
        throw memoryExhausted();
      }
    }
    account.bytesReserved += bytes;
    add(account, bytes);
    if (account.guest && !account.finished) {
      incompleteBodies.add(account);
    }
  }

  private boolean dropOldest(
      Account newest, Predicate<Account> filter, List<Account> droppedAccounts) {
    Optional<Account> oldest =
        incompleteBodies.stream()
            .filter(other -> other != newest && filter.test(other))
            .findFirst();
    oldest.ifPresent(
        account -> {
          release(account);
          droppedAccounts.add(account);
        });
    return oldest.isPresent();
  }

  private synchronized void release(Account account) {
    account.closed = true;
    incompleteBodies.remove(account);
    add(account, -account.bytesReserved);
    account.bytesReserved = 0;
  }

  private void add(Account account, long bytes) {
    totalBytes += bytes;
    addTo(account.sender, bytes);
    if (account.guest) {
      addTo(GUESTS_KEY, bytes);
    }
  }

  private void addTo(String key, long bytes) {
    long newTotal = bytesOf(key) + bytes;
    if (newTotal == 0) {
      bytesByKey.remove(key);
    } else {
      bytesByKey.put(key, newTotal);
    }
  }

  private long bytesOf(String key) {
    return bytesByKey.getOrDefault(key, 0L);
  }
}
