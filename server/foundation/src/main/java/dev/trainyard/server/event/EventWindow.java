package dev.trainyard.server.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The newest events in memory, so that any number of followers require only one query. Not
 * thread-safe.
 *
 * <p>Contains all events above {@code floor} up to {@code newest}; followers below the floor have
 * to query the database.
 */
final class EventWindow {
  private static final int SIZE = 2_000;

  private final List<Event> events = new ArrayList<>();
  private long floor;
  private long newest;

  EventWindow(long from) {
    this.floor = from;
    this.newest = from;
  }

  long newest() {
    return newest;
  }

  /** Adds the events that follow the newest, in order. */
  void add(List<Event> more) {
    events.addAll(more);
    if (!more.isEmpty()) {
      newest = more.getLast().id();
    }
    // In large steps, because each step moves all remaining events.
    if (events.size() > 2 * SIZE) {
      List<Event> going = events.subList(0, events.size() - SIZE);
      floor = going.getLast().id();
      going.clear();
    }
  }

  /** Returns the events after a position, or empty if some of them are no longer in the window. */
  Optional<EventPage> after(EventScope scope, long position, int limit) {
    if (position < floor) {
      return Optional.empty();
    }
    List<Event> found = new ArrayList<>();
    for (int i = firstAbove(position); i < events.size(); i++) {
      if (scope.contains(events.get(i))) {
        found.add(events.get(i));
        if (found.size() == limit) {
          return Optional.of(new EventPage(found, found.getLast().id()));
        }
      }
    }
    return Optional.of(new EventPage(found, Math.max(position, newest)));
  }

  private int firstAbove(long position) {
    int from = 0;
    int to = events.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (events.get(middle).id() > position) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
