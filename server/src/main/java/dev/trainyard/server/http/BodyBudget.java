package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes of request bodies in memory. Each user may hold a quarter of them. All clients
 * that are not signed in together hold a quarter, and each of their addresses a sixteenth, so that
 * they cannot keep users out. Thread-safe.
 */
final class BodyBudget {
  private static final String GUESTS = "guests";
  private static final int RETRY_SECONDS = 2;

  private final long most;
  private final AtomicLong total = new AtomicLong();
  private final ConcurrentMap<String, AtomicLong> held = new ConcurrentHashMap<>();

  BodyBudget(DataSize most) {
    this.most = most.bytes();
  }

  /** Returns the account of a body sent by a signed-in user. */
  Account ofUser(String userId) {
    return new Account("user " + userId, most / 4, false);
  }

  /** Returns the account of a body sent from an address without signing in. */
  Account ofGuest(String address) {
    return new Account("address " + address, most / 16, true);
  }

  long held() {
    return total.get();
  }

  int senders() {
    return held.size();
  }

  /** The bytes of one body; released when it is closed. Belongs to one request. */
  final class Account implements AutoCloseable {
    private final String sender;
    private final long share;
    private final boolean guest;
    private long taken;
    private boolean closed;

    private Account(String sender, long share, boolean guest) {
      this.sender = sender;
      this.share = share;
      this.guest = guest;
    }

    /**
     * Adds bytes that have arrived.
     *
     * @throws AppException if the sender or all senders hold too much; nothing is added then
     */
    synchronized void take(int bytes) {
      if (closed) {
        return;
      }
      if (!add(sender, bytes, share)) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-many-bodies", "seconds", RETRY_SECONDS));
      }
      boolean fits = !guest || add(GUESTS, bytes, most / 4);
      if (fits && total.addAndGet(bytes) > most) {
        total.addAndGet(-bytes);
        subtract(guest ? GUESTS : "", bytes);
        fits = false;
      }
      if (!fits) {
        subtract(sender, bytes);
        throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.bodies-full"));
      }
      taken += bytes;
    }

    @Override
    public synchronized void close() {
      closed = true;
      if (taken > 0) {
        total.addAndGet(-taken);
        subtract(sender, taken);
        subtract(guest ? GUESTS : "", taken);
        taken = 0;
      }
    }
  }

  private boolean add(String key, long bytes, long limit) {
    boolean[] fits = new boolean[1];
    held.compute(
        key,
        (_, count) -> {
          AtomicLong now = count == null ? new AtomicLong() : count;
          fits[0] = now.get() + bytes <= limit;
          if (fits[0]) {
            now.addAndGet(bytes);
          }
          return now.get() == 0 ? null : now;
        });
    return fits[0];
  }

  private void subtract(String key, long bytes) {
    held.computeIfPresent(key, (_, count) -> count.addAndGet(-bytes) <= 0 ? null : count);
  }
}
