package dev.trainyard.server.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The newest events, kept in memory so that one query serves any number of followers. Not
 * thread-safe.
 *
 * <p>Contains all events with IDs above {@code floor} up to {@code newest}. For followers whose
 * position is below the floor, the database must be queried.
 */
final class EventWindow {
  private static final int MIN_SIZE = 2_000;

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

  /** Adds the events that directly follow the newest event, in order. */
  void add(List<Event> newEvents) {
    events.addAll(newEvents);
    if (!newEvents.isEmpty()) {
      newest = newEvents.getLast().id();
    }
    // Many events are removed at once, because each removal moves all remaining events.
    if (events.size() > 2 * MIN_SIZE) {
      List<Event> removedEvents = events.subList(0, events.size() - MIN_SIZE);
      floor = removedEvents.getLast().id();
      removedEvents.clear();
    }
  }

  /** Returns the events after a position; empty if some of them are no longer in the window. */
  Optional<EventPage> eventsAfter(EventScope scope, long position, int limit) {
    if (position < floor) {
      return Optional.empty();
    }
    List<Event> pageEvents = new ArrayList<>();
    for (int i = firstAbove(position); i < events.size(); i++) {
      if (scope.contains(events.get(i))) {
        pageEvents.add(events.get(i));
        if (pageEvents.size() == limit) {
          return Optional.of(new EventPage(pageEvents, pageEvents.getLast().id()));
        }
      }
    }
    return Optional.of(new EventPage(pageEvents, Math.max(position, newest)));
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
