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

/** Finds what servers before this one left, and takes away what belongs to no task. */
final class Adoption {
  private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

  private final ContainerPreparer containerPreparer;
  private final Containers containers;

  Adoption(ContainerPreparer containerPreparer, Containers containers) {
    this.containerPreparer = containerPreparer;
    this.containers = containers;
  }

  /** Called before anything is reserved; the tasks that are. */
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
          .forEach(why -> LOG.warn("a container that belongs to no task stays: {}", why));
      leftovers.removeAll(known);
      leftovers.forEach(this::clear);
      return found;
    } catch (IOException e) {
      throw new EngineException("leftovers can't be found: " + e.getMessage(), e);
    }
  }

  /** Empty if it was not wholly made; one that can't be understood counts as that. */
  private static Optional<StoredTask> read(DockerTaskDirectory task) throws IOException {
    try {
      return StoredTask.read(task);
    } catch (StoredTask.DamagedException e) {
      LOG.error("task {} is given up", task.id(), e);
      return Optional.empty();
    }
  }

  /** Its container is gone. */
  private void clear(String name) {
    try {
      containerPreparer.remove(containerPreparer.places().of(TaskId.parse(name)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("what task {} left can't be cleared away now", name, e);
    }
  }
}
