package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits the memory of responses that clients have not read completely. Each user, or each address
 * of clients that are not signed in, may use a quarter of the memory, or one response if that is
 * more. If all clients together exceed the limit, the oldest response of the client that uses most
 * memory is aborted, so that clients that do not read cannot block others. Thread-safe.
 */
final class ResponseBudget {
  /**
   * Responses up to this length are not rejected; the limit on open requests bounds their number.
   */
  static final int MAX_SMALL_RESPONSE = 64 << 10;

  private static final long RETRY_SECONDS = 5;

  private final long maxBytes;
  private final Map<String, Long> bytesByClient = new HashMap<>();

  /** Accounts that are not closed, oldest first. */
  private final Set<Account> openAccounts = new LinkedHashSet<>();

  private long total;

  ResponseBudget(DataSize maxBytes) {
    this.maxBytes = maxBytes.bytes();
  }

  /** The memory of one response, which is released when this account is closed. */
  final class Account implements AutoCloseable {
    private final String client;
    private final int bytes;
    private final Runnable abort;

    private Account(String client, int bytes, Runnable abort) {
      this.client = client;
      this.bytes = bytes;
      this.abort = abort;
    }

    @Override
    public void close() {
      release(this);
    }
  }

  /**
   * Counts a response until its account is closed.
   *
   * @param mayReject whether the response may be rejected because of other responses that the
   *     client has not read
   * @param abort closes the connection of the response; called at most once, on any thread
   * @throws AppException if the client has left too many bytes of earlier responses unread
   */
  Account reserve(String client, int bytes, boolean mayReject, Runnable abort) {
    Account account = new Account(client, bytes, abort);
    Set<Account> aborted = new LinkedHashSet<>();
    synchronized (this) {
      long bytesBefore = bytesByClient.getOrDefault(client, 0L);
      if (mayReject
          && bytes > MAX_SMALL_RESPONSE
          && bytesBefore > 0
          && bytesBefore + bytes > maxBytes / 4) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.unread-responses", "seconds", RETRY_SECONDS));
      }
      bytesByClient.put(client, bytesBefore + bytes);
      total += bytes;
      openAccounts.add(account);
      while (total > maxBytes && openAccounts.size() > 1) {
        Account largest = oldestOfLargestClient(account);
        if (bytesByClient.get(largest.client) < bytesByClient.get(client)) {
          break; // the client of the new response uses most memory
        }
        aborted.add(largest);
        release(largest);
      }
    }
    aborted.forEach(abortedAccount -> abortedAccount.abort.run());
    return account;
  }

  /** Returns the oldest response, except a given one, of the client that uses most memory. */
  private Account oldestOfLargestClient(Account except) {
    Account largest = null;
    for (Account account : openAccounts) {
      if (!account.equals(except)
          && (largest == null
              || bytesByClient.get(account.client) > bytesByClient.get(largest.client))) {
        largest = account;
      }
    }
    return largest;
  }

  private synchronized void release(Account account) {
    if (openAccounts.remove(account)) {
      total -= account.bytes;
      bytesByClient.compute(
          account.client, (_, sum) -> sum == account.bytes ? null : sum - account.bytes);
    }
  }

  synchronized long bytesInUse() {
    return total;
  }
}
