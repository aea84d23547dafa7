package dev.trainyard.server.http;

import dev.trainyard.server.work.WorkPools;
import java.util.Collection;
import java.util.Map;

/**
 * Counts the elements of all lists in a response, at any depth, to decide where the response is
 * converted to JSON. Stops counting when the result can no longer change the decision.
 */
final class ElementCount {
  /**
   * A map with more entries is counted like a list, because it is not an object with a fixed set of
   * fields.
   */
  private static final int MAX_FIELDS = 50;

  private static final int MAX_VISITS = 50 * WorkPools.MAX_SHORT_COUNT;

  private int elements;
  private int visits;

  private ElementCount() {}

  /**
   * Returns the number of elements. If the number exceeds {@link WorkPools#MAX_SHORT_COUNT}, the
   * result may be lower than the number, but exceeds this limit too.
   */
  static int of(Object body) {
    ElementCount count = new ElementCount();
    count.add(body);
    return count.visits > MAX_VISITS
        ? Math.max(count.elements, WorkPools.MAX_SHORT_COUNT + 1)
        : count.elements;
  }

  private void add(Object value) {
    switch (value) {
      case Collection<?> list -> addAll(list, list.size());
      case Map<?, ?> fields ->
          addAll(fields.values(), fields.size() > MAX_FIELDS ? fields.size() : 0);
      case null, default -> {}
    }
  }

  private void addAll(Collection<?> values, int newElements) {
    elements += newElements;
    for (Object value : values) {
      visits++;
      if (elements > WorkPools.MAX_SHORT_COUNT || visits > MAX_VISITS) {
        return;
      }
      add(value);
    }
  }
}
