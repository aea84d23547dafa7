package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Container;
import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The containers of this server's tasks, each identified by the name of its task. */
final class Containers {
  /** Stage of the life cycle of a container. */
  enum Stage {
    MISSING,
    CREATED,
    RUNNING,
    ENDED
  }

  private final DockerClient docker;
  private final Labels labels;

  Containers(DockerClient docker, Labels labels) {
    this.docker = docker;
    this.labels = labels;
  }

  String name(TaskId task) {
    return labels.containerName(task);
  }

  /** Returns the stages of this server's containers, by task ID as text. */
  Map<String, Stage> stages() {
    Map<String, Stage> stages = new HashMap<>();
    for (Container container : listTaskContainers()) {
      String task = container.getLabels().get(Labels.TASK);
      if (hasCurrentName(container, task)) {
        stages.put(task, stage(container.getState()));
      }
    }
    return stages;
  }

  /** Returns all containers that have this server's label and a task's label. */
  private List<Container> listTaskContainers() {
    try {
      return docker
          .listContainersCmd()
          .withShowAll(true)
          .withLabelFilter(Map.of(Labels.SERVER, labels.serverId()))
          .exec()
          .stream()
          .filter(container -> container.getLabels().containsKey(Labels.TASK))
          .toList();
    } catch (RuntimeException e) {
      throw DockerProblem.of(e)
          .toException("failed to list the containers of the Docker engine", e);
    }
  }

  /**
   * Returns whether the container has the current name for the task; earlier versions used other
   * names.
   */
  private boolean hasCurrentName(Container container, String task) {
    try {
      String name = "/" + name(TaskId.parse(task));
      return container.getNames() != null && Arrays.asList(container.getNames()).contains(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Removes containers with this server's label that belong to no known task, or whose name is not
   * the current name for their task.
   *
   * @param knownTaskIds task IDs as text
   * @return the reasons why containers could not be removed
   */
  List<String> removeAllExcept(Set<String> knownTaskIds) {
    List<String> problems = new ArrayList<>();
    for (Container container : listTaskContainers()) {
      String task = container.getLabels().get(Labels.TASK);
      if (!knownTaskIds.contains(task) || !hasCurrentName(container, task)) {
        try {
          remove(container.getId());
        } catch (EngineException e) {
          problems.add(container.getId() + ": " + e.getMessage());
        }
      }
    }
    return problems;
  }

  Stage stage(TaskId task) {
    return state(task).map(state -> stage(state.getStatus())).orElse(Stage.MISSING);
  }

  /** Maps a status to a stage; Podman has some additional statuses. */
  static Stage stage(String status) {
    return switch (status == null ? "" : status) {
      case "created", "configured", "initialized" -> Stage.CREATED;
      case "exited", "dead", "removing", "stopped" -> Stage.ENDED;
      default -> Stage.RUNNING;
    };
  }

  /** Returns the state; empty if the container does not exist or belongs to another server. */
  Optional<ContainerState> state(TaskId task) {
    try {
      var container = docker.inspectContainerCmd(name(task)).exec();
      Map<String, String> containerLabels = container.getConfig().getLabels();
      boolean belongsToServer =
          containerLabels != null && labels.serverId().equals(containerLabels.get(Labels.SERVER));
      return belongsToServer ? Optional.of(container.getState()) : Optional.empty();
    } catch (NotFoundException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      throw DockerProblem.of(e).toException("the Docker engine does not respond", e);
    }
  }

  void start(TaskId task) {
    try {
      docker.startContainerCmd(name(task)).exec();
    } catch (NotModifiedException e) {
      // The container is already running.
    }
  }

  /** Sends a signal; returns false if the container is not running. */
  boolean signal(TaskId task, String signal) {
    try {
      docker.killContainerCmd(name(task)).withSignal(signal).exec();
      return true;
    } catch (NotFoundException | ConflictException e) {
      return false;
    } catch (DockerException e) {
      if (String.valueOf(e.getMessage()).contains("is not running")) {
        return false;
      }
      throw e;
    }
  }

  /** Removes the container with the volumes of its image; kills it first if it is running. */
  void remove(TaskId task) {
    remove(name(task));
  }

  private void remove(String container) {
    try {
      docker.removeContainerCmd(container).withForce(true).withRemoveVolumes(true).exec();
    } catch (NotFoundException e) {
      // The container is already removed.
    } catch (ConflictException e) {
      throw EngineException.transientFailure("the task's container is being removed");
    } catch (RuntimeException e) {
      throw DockerProblem.of(e).toException("failed to remove the task's container", e);
    }
  }
}
