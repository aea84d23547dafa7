package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.ResponseItem;
import dev.trainyard.engine.PullProgress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Adds up the progress of all layers of a transfer. Not thread-safe. */
final class LayerSums {
  private static final Set<String> COMPLETE_STATUSES =
      Set.of("Download complete", "Verifying Checksum", "Pull complete", "Extracting", "Pushed");

  private final Map<String, PullProgress> layers = new LinkedHashMap<>();

  /** Adds a progress message; returns whether the number of bytes changed. */
  boolean add(ResponseItem item) {
    String status = String.valueOf(item.getStatus());
    String layer = item.getId();
    if (layer == null) {
      return false;
    }
    ResponseItem.ProgressDetail detail = item.getProgressDetail();
    boolean transferring = status.equals("Downloading") || status.equals("Pushing");
    if (transferring && detail != null && detail.getTotal() != null && detail.getTotal() > 0) {
      long doneBytes = detail.getCurrent() == null ? 0 : detail.getCurrent();
      layers.put(
          layer, new PullProgress(Math.min(doneBytes, detail.getTotal()), detail.getTotal()));
      return true;
    }
    PullProgress previous = layers.get(layer);
    if (previous != null
        && COMPLETE_STATUSES.contains(status)
        && previous.done() < previous.total()) {
      layers.put(layer, new PullProgress(previous.total(), previous.total()));
      return true;
    }
    return false;
  }

  PullProgress total() {
    return new PullProgress(
        layers.values().stream().mapToLong(PullProgress::done).sum(),
        layers.values().stream().mapToLong(PullProgress::total).sum());
  }
}
