package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the tasks that earlier server processes left, and removes everything that belongs to no
 * task.
 */
final class Adoption {
  private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

  private final ContainerPreparer containerPreparer;
  private final Containers containers;

  Adoption(ContainerPreparer containerPreparer, Containers containers) {
    this.containerPreparer = containerPreparer;
    this.containers = containers;
  }

  /** Returns the reserved tasks; called before any task is reserved. */
  List<StoredTask> clearLeftovers() {
    List<StoredTask> found = new ArrayList<>();
    Set<String> known = new HashSet<>();
    try {
      Set<String> leftovers = new LinkedHashSet<>(containerPreparer.volumes().tasks());
      leftovers.addAll(containerPreparer.secrets().tasks());
      for (DockerTaskDirectory task : containerPreparer.places().list()) {
        Optional<StoredTask> stored = read(task);
        if (stored.isPresent()) {
          found.add(stored.get());
          known.add(task.id().toString());
        } else {
          leftovers.add(task.id().toString());
        }
      }
      containers
          .removeAllBut(known)
          .forEach(why -> LOG.warn("failed to remove a container without a task: {}", why));
      leftovers.removeAll(known);
      leftovers.forEach(this::clear);
      return found;
    } catch (IOException e) {
      throw new EngineException("failed to find leftovers: " + e.getMessage(), e);
    }
  }

  /** Reads a task; empty if it is incomplete or damaged. */
  private static Optional<StoredTask> read(DockerTaskDirectory task) throws IOException {
    try {
      return StoredTask.read(task);
    } catch (StoredTask.DamagedException e) {
      LOG.error("task {} is abandoned because its record is damaged", task.id(), e);
      return Optional.empty();
    }
  }

  /** Cleans up after a task whose container is gone. */
  private void clear(String name) {
    try {
      containerPreparer.remove(containerPreparer.places().of(TaskId.parse(name)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("failed to clean up after task {}", name, e);
    }
  }
}
