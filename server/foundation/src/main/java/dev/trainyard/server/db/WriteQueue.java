package dev.trainyard.server.db;

import dev.trainyard.server.work.Requester;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Queue in which users take turns: each user has a queue of its own, and one element of each user
 * is taken in turn, so a user waits at most for one element of each other user. Elements of the
 * server itself come first, but only {@value #SERVER_IN_A_ROW} in a row while users wait.
 * Thread-safe.
 */
final class WriteQueue<T> {
  static final int SERVER_IN_A_ROW = 16;

  private final Deque<T> server = new ArrayDeque<>();
  private final Map<String, Deque<T>> users = new LinkedHashMap<>();
  private int serverInARow;
  private int size;
  private boolean closed;

  synchronized void add(Requester requester, T element) {
    if (closed) {
      throw new IllegalStateException("the database is closed");
    }
    if (requester.isServer()) {
      server.add(element);
    } else {
      users.computeIfAbsent(requester.knownKey(), _ -> new ArrayDeque<>()).add(element);
    }
    size++;
    notifyAll();
  }

  /** Returns the next element; waits for one. Null if the queue is closed and empty. */
  synchronized T take() throws InterruptedException {
    while (size == 0 && !closed) {
      wait();
    }
    return poll();
  }

  /** Returns the next element, or null if there is none. */
  synchronized T poll() {
    if (size == 0) {
      return null;
    }
    size--;
    if (!server.isEmpty() && (users.isEmpty() || serverInARow < SERVER_IN_A_ROW)) {
      serverInARow++;
      return server.poll();
    }
    serverInARow = 0;
    var first = users.entrySet().iterator().next();
    String userKey = first.getKey();
    Deque<T> queued = first.getValue();
    T next = queued.poll();
    users.remove(userKey);
    if (!queued.isEmpty()) {
      users.put(userKey, queued); // now the last one
    }
    return next;
  }

  synchronized int size() {
    return size;
  }

  /** Rejects further elements; those that are queued can still be taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
