package dev.trainyard.server.event;

import dev.trainyard.server.db.CommitOrder;
import dev.trainyard.server.db.Db;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells events while they happen. One thread reads what is new as long as somebody follows; a
 * follower has nothing but a position in the row of events and takes what is behind it, from memory
 * or, if it is far behind, from the database. So history and present are one row without a seam,
 * and a slow follower costs no memory. Thread-safe.
 */
public final class EventFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);
  private static final int BATCH = 1_000;

  /** Makes up for what nobody told, such as events that another server wrote. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** What happens within so little time is read together. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Db db;
  private final EventStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition work = lock.newCondition();
  private final Thread reader;

  // Guarded by the lock.
  private Optional<EventWindow> window = Optional.empty();
  private int followers;
  private boolean news;
  private boolean closed;

  public EventFeed(Db db, EventStore store) {
    this.db = db;
    this.store = store;
    this.reader = Thread.ofVirtual().name("events").unstarted(this::run);
  }

  /** To be called once, before anything is written. */
  public void start() {
    db.write(
        handle -> {
          CommitOrder.settle(handle, EventStore.TABLE, store.newest(handle));
          return null;
        });
    reader.start();
  }

  /** Something may have happened; to be called after it is durable. */
  public void happened() {
    lock.lock();
    try {
      if (!news) {
        news = true;
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A follower; as long as it is open, what happens is read at once. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  Place join() {
    lock.lock();
    try {
      followers++;
      news = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    return this::leave;
  }

  private void leave() {
    lock.lock();
    try {
      followers--;
      if (followers == 0) {
        window = Optional.empty();
      }
    } finally {
      lock.unlock();
    }
  }

  int followers() {
    lock.lock();
    try {
      return followers;
    } finally {
      lock.unlock();
    }
  }

  /** The newest event there is. */
  long newest() {
    return db.read(store::newest);
  }

  /** Whether an event of this number has ever been there. */
  boolean hasBeen(long id) {
    return id <= db.read(handle -> CommitOrder.last(handle, EventStore.TABLE));
  }

  /** What comes after a position. */
  EventPage after(EventScope scope, long position, int limit) {
    lock.lock();
    try {
      Optional<EventPage> page = window.flatMap(events -> events.after(scope, position, limit));
      if (page.isPresent()) {
        return page.get();
      }
    } finally {
      lock.unlock();
    }
    return db.read(
        handle -> {
          // Of one view: what is not in the list and not above the newest will never be there.
          List<Event> found = store.after(handle, scope, position, limit);
          long end = found.size() == limit ? found.getLast().id() : store.newest(handle);
          return new EventPage(found, Math.max(position, end));
        });
  }

  /** Waits until there may be something after a position, or the time is over. */
  void await(long position, Duration most) throws InterruptedException {
    long left = most.toNanos();
    lock.lock();
    try {
      while (left > 0 && !closed && window.map(EventWindow::newest).orElse(position) <= position) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (awaitWork()) {
      try {
        read();
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (RuntimeException e) {
        LOG.warn("events can't be read now; trying again", e);
        LockSupport.parkNanos(TICK.toNanos());
      }
    }
  }

  /** False at the end. */
  private boolean awaitWork() {
    lock.lock();
    try {
      long left = TICK.toNanos();
      while (!closed && (followers == 0 || (!news && left > 0))) {
        if (followers == 0) {
          work.await();
        } else {
          left = work.awaitNanos(left);
        }
      }
      news = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    Optional<EventWindow> known = window();
    if (known.isEmpty()) {
      long newest = newest();
      put(new EventWindow(newest), List.of());
      return;
    }
    long from = known.get().newest();
    List<Event> fresh = db.read(handle -> store.after(handle, EventScope.ALL, from, BATCH));
    if (!fresh.isEmpty()) {
      put(known.get(), fresh);
    }
    if (fresh.size() == BATCH) {
      happened();
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

  private void put(EventWindow events, List<Event> fresh) {
    lock.lock();
    try {
      events.add(fresh);
      // Without followers nobody reads on, so it would soon lie about what is newest.
      window = followers == 0 ? Optional.empty() : Optional.of(events);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
      changed.signalAll();
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
