package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.ResponseItem;
import dev.trainyard.engine.PullProgress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Adds up the progress of all layers of a transfer. Not thread-safe. */
final class LayerSums {
  private static final Set<String> DONE =
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
    boolean moves = status.equals("Downloading") || status.equals("Pushing");
    if (moves && detail != null && detail.getTotal() != null && detail.getTotal() > 0) {
      long done = detail.getCurrent() == null ? 0 : detail.getCurrent();
      layers.put(layer, new PullProgress(Math.min(done, detail.getTotal()), detail.getTotal()));
      return true;
    }
    PullProgress before = layers.get(layer);
    if (before != null && DONE.contains(status) && before.done() < before.total()) {
      layers.put(layer, new PullProgress(before.total(), before.total()));
      return true;
    }
    return false;
  }

  PullProgress now() {
    return new PullProgress(
        layers.values().stream().mapToLong(PullProgress::done).sum(),
        layers.values().stream().mapToLong(PullProgress::total).sum());
  }
}
