package dev.trainyard.engine;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An image on the machine.
 *
 * @param references its names, as the engine's own lists write them
 * @param size in bytes, of all its layers; images may share some
 * @param architecture as in {@code amd64}
 */
public record LocalImage(
    String id,
    List<String> references,
    long size,
    Instant created,
    String architecture,
    Map<String, String> labels) {
  public LocalImage {
    references = List.copyOf(references);
    labels = Map.copyOf(labels);
  }
}
