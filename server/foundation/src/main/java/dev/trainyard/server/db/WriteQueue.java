package dev.trainyard.server.db;

import dev.trainyard.server.work.Requester;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Queue in which users take turns: each user has a separate queue, and one element is taken from
 * each of these queues in turn, so a user's first element waits for at most one element of each
 * other user. Elements of the server itself take precedence, but at most {@value
 * #MAX_SERVER_IN_A_ROW} in a row while users wait. Thread-safe.
 */
final class WriteQueue<T> {
  static final int MAX_SERVER_IN_A_ROW = 16;

  private final Deque<T> serverElements = new ArrayDeque<>();
  private final Map<String, Deque<T>> userQueues = new LinkedHashMap<>();
  private int serverInARow;
  private int size;
  private boolean closed;

  synchronized void add(Requester requester, T element) {
    if (closed) {
      throw new IllegalStateException("the database is closed");
    }
    if (requester.isServer()) {
      serverElements.add(element);
    } else {
      userQueues.computeIfAbsent(requester.knownKey(), _ -> new ArrayDeque<>()).add(element);
    }
    size++;
    notifyAll();
  }

  /** Waits for an element and returns it; returns null if the queue is closed and empty. */
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
    if (!serverElements.isEmpty() && (userQueues.isEmpty() || serverInARow < MAX_SERVER_IN_A_ROW)) {
      serverInARow++;
      return serverElements.poll();
    }
    serverInARow = 0;
    var firstUser = userQueues.entrySet().iterator().next();
    String userKey = firstUser.getKey();
    Deque<T> userQueue = firstUser.getValue();
    T next = userQueue.poll();
    userQueues.remove(userKey);
    if (!userQueue.isEmpty()) {
      userQueues.put(userKey, userQueue); // moves the user to the end
    }
    return next;
  }

  synchronized int size() {
    return size;
  }

  /** Rejects further elements; the queued elements can still be taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
