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

/** Finds the tasks of earlier server processes, and removes everything that belongs to no task. */
final class TaskAdopter {
  private static final Logger LOG = LoggerFactory.getLogger(TaskAdopter.class);

  private final ContainerPreparer containerPreparer;
  private final Containers containers;

  TaskAdopter(ContainerPreparer containerPreparer, Containers containers) {
    this.containerPreparer = containerPreparer;
    this.containers = containers;
  }

  /** Removes the leftovers and returns the stored tasks; called before any task is reserved. */
  List<StoredTask> clearLeftovers() {
    List<StoredTask> storedTasks = new ArrayList<>();
    Set<String> knownTaskIds = new HashSet<>();
    try {
      Set<String> leftovers = new LinkedHashSet<>(containerPreparer.volumeMounts().taskIds());
      leftovers.addAll(containerPreparer.secretDirectory().taskIds());
      for (DockerTaskDirectory task : containerPreparer.taskDirectories().list()) {
        Optional<StoredTask> stored = read(task);
        if (stored.isPresent()) {
          storedTasks.add(stored.get());
          knownTaskIds.add(task.id().toString());
        } else {
          leftovers.add(task.id().toString());
        }
      }
      containers
          .removeAllExcept(knownTaskIds)
          .forEach(reason -> LOG.warn("failed to remove a container without a task: {}", reason));
      leftovers.removeAll(knownTaskIds);
      leftovers.forEach(this::cleanUp);
      return storedTasks;
    } catch (IOException e) {
      throw new EngineException("failed to find leftovers: " + e.getMessage(), e);
    }
  }

  /** Reads the record of a task; returns empty if it is missing or damaged. */
  private static Optional<StoredTask> read(DockerTaskDirectory task) throws IOException {
    try {
      return StoredTask.read(task);
    } catch (StoredTask.DamagedException e) {
      LOG.error("task {} is abandoned because its record is damaged", task.id(), e);
      return Optional.empty();
    }
  }

  /** Cleans up after a task whose container no longer exists. */
  private void cleanUp(String name) {
    try {
      containerPreparer.remove(containerPreparer.taskDirectories().of(TaskId.parse(name)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("failed to clean up after task {}", name, e);
    }
  }
}
