package dev.trainyard.engine;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An image on the node.
 *
 * @param references its names, in the form in which the engine lists them
 * @param size total size of all layers in bytes; images may share layers
 * @param architecture for example {@code amd64}
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
