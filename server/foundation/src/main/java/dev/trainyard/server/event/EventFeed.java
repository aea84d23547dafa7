package dev.trainyard.server.event;

import dev.trainyard.server.db.CommitOrder;
import dev.trainyard.server.db.Db;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events as they occur. One thread reads new events while there are followers. A follower
 * is only a position in the sequence of events. The events after this position are read from memory
 * or, if the follower is far behind, from the database. Therefore past and new events form one
 * sequence without gaps, and a slow follower needs no memory. Thread-safe.
 */
public final class EventFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);
  private static final int BATCH_SIZE = 1_000;

  /**
   * Polling interval for events about which the feed is not notified, such as those that another
   * server writes.
   */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** Minimum interval between reads; events that occur within it are read together. */
  private static final Duration BATCH_INTERVAL = Duration.ofMillis(10);

  private final Db db;
  private final EventStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition windowChanged = lock.newCondition();
  private final Condition workAvailable = lock.newCondition();
  private final Thread reader;

  // Guarded by the lock.
  private Optional<EventWindow> window = Optional.empty();
  private int subscribers;
  private boolean hasNewEvents;
  private boolean closed;

  public EventFeed(Db db, EventStore store) {
    this.db = db;
    this.store = store;
    this.reader = Thread.ofVirtual().name("events").unstarted(this::run);
  }

  /** Starts reading events. Must be called once, before any event is written. */
  public void start() {
    db.write(
        handle -> {
          CommitOrder.advanceSequence(handle, EventStore.TABLE, store.newest(handle));
          return null;
        });
    reader.start();
  }

  /** Notifies the feed that there may be new events; must be called after they are durable. */
  public void eventsWritten() {
    lock.lock();
    try {
      if (!hasNewEvents) {
        hasNewEvents = true;
        workAvailable.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Subscription of a follower. While a subscription is open, new events are read immediately. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  Subscription subscribe() {
    lock.lock();
    try {
      subscribers++;
      hasNewEvents = true;
      workAvailable.signal();
    } finally {
      lock.unlock();
    }
    return this::unsubscribe;
  }

  private void unsubscribe() {
    lock.lock();
    try {
      subscribers--;
      if (subscribers == 0) {
        window = Optional.empty();
      }
    } finally {
      lock.unlock();
    }
  }

  int subscribers() {
    lock.lock();
    try {
      return subscribers;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the ID of the newest event. */
  long newest() {
    return db.read(store::newest);
  }

  /** Returns whether an event with this ID has ever existed. */
  boolean existed(long id) {
    return id <= db.read(handle -> CommitOrder.lastAssigned(handle, EventStore.TABLE));
  }

  /** Returns the events after a position. */
  EventPage eventsAfter(EventScope scope, long position, int limit) {
    lock.lock();
    try {
      Optional<EventPage> page =
          window.flatMap(events -> events.eventsAfter(scope, position, limit));
      if (page.isPresent()) {
        return page.get();
      }
    } finally {
      lock.unlock();
    }
    return db.read(
        handle -> {
          // Both queries use one snapshot, so every event up to the returned position is either in
          // the list or outside of the scope.
          List<Event> events = store.listAfter(handle, scope, position, limit);
          long end = events.size() == limit ? events.getLast().id() : store.newest(handle);
          return new EventPage(events, Math.max(position, end));
        });
  }

  /**
   * Waits until there may be events after a position, the time has elapsed, or the feed is closed.
   */
  void await(long position, Duration maxWait) throws InterruptedException {
    long remainingNanos = maxWait.toNanos();
    lock.lock();
    try {
      while (remainingNanos > 0
          && !closed
          && window.map(EventWindow::newest).orElse(position) <= position) {
        remainingNanos = windowChanged.awaitNanos(remainingNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (awaitWork()) {
      try {
        read();
        waitFor(BATCH_INTERVAL);
      } catch (RuntimeException e) {
        LOG.warn("failed to read events; will retry", e);
        waitFor(POLL_INTERVAL);
      }
    }
  }

  /** Waits until the time has elapsed or the feed is closed. */
  private void waitFor(Duration pause) {
    lock.lock();
    try {
      long remainingNanos = pause.toNanos();
      while (!closed && remainingNanos > 0) {
        remainingNanos = workAvailable.awaitNanos(remainingNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until events have to be read; returns false if the feed is closed. */
  private boolean awaitWork() {
    lock.lock();
    try {
      long remainingNanos = POLL_INTERVAL.toNanos();
      while (!closed && (subscribers == 0 || (!hasNewEvents && remainingNanos > 0))) {
        if (subscribers == 0) {
          workAvailable.await();
        } else {
          remainingNanos = workAvailable.awaitNanos(remainingNanos);
        }
      }
      hasNewEvents = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    Optional<EventWindow> currentWindow = window();
    if (currentWindow.isEmpty()) {
      long newest = newest();
      publish(new EventWindow(newest), List.of());
      return;
    }
    long from = currentWindow.get().newest();
    List<Event> newEvents =
        db.read(handle -> store.listAfter(handle, EventScope.ALL, from, BATCH_SIZE));
    if (!newEvents.isEmpty()) {
      publish(currentWindow.get(), newEvents);
    }
    if (newEvents.size() == BATCH_SIZE) {
      eventsWritten();
    }
  }

  private Optional<EventWindow> window() {
    lock.lock();
    try {
      return window;
    } finally {
      lock.unlock();
    }
  }

  private void publish(EventWindow events, List<Event> newEvents) {
    lock.lock();
    try {
      events.add(newEvents);
      // Without followers no events are read, so a window kept in memory would soon be outdated.
      window = subscribers == 0 ? Optional.empty() : Optional.of(events);
      windowChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      workAvailable.signalAll();
      windowChanged.signalAll();
    } finally {
      lock.unlock();
    }
    if (reader.getState() == Thread.State.NEW) {
      return; // the server failed to start
    }
    try {
      reader.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
