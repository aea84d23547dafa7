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

/** The containers of this server's tasks, each found by the name of its task. */
final class Containers {
  /** How far a container is. */
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

  /** How far all of ours are, by the text of their task's id. */
  Map<String, Stage> stages() {
    Map<String, Stage> found = new HashMap<>();
    for (Container container : ours()) {
      String task = container.getLabels().get(Labels.TASK);
      if (isNamed(container, task)) {
        found.put(task, stage(container.getState()));
      }
    }
    return found;
  }

  /** All that bear this server's number and a task's. */
  private List<Container> ours() {
    try {
      return docker
          .listContainersCmd()
          .withShowAll(true)
          .withLabelFilter(Map.of(Labels.SERVER, labels.server()))
          .exec()
          .stream()
          .filter(container -> container.getLabels().containsKey(Labels.TASK))
          .toList();
    } catch (RuntimeException e) {
      throw DockerProblem.of(e).exception("the Docker engine does not list its containers", e);
    }
  }

  /** Whether it is the one that is meant by the task's name: earlier versions had other names. */
  private boolean isNamed(Container container, String task) {
    try {
      String name = "/" + name(TaskId.parse(task));
      return container.getNames() != null && Arrays.asList(container.getNames()).contains(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Removes what bears this server's number and belongs to no task that is known, whatever it is
   * called.
   *
   * @param known texts of the tasks' ids
   * @return why some could not be removed
   */
  List<String> removeAllBut(Set<String> known) {
    List<String> problems = new ArrayList<>();
    for (Container container : ours()) {
      String task = container.getLabels().get(Labels.TASK);
      if (!known.contains(task) || !isNamed(container, task)) {
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

  /** Podman has some words of its own. */
  static Stage stage(String status) {
    return switch (status == null ? "" : status) {
      case "created", "configured", "initialized" -> Stage.CREATED;
      case "exited", "dead", "removing", "stopped" -> Stage.ENDED;
      default -> Stage.RUNNING;
    };
  }

  /** Empty if there is no such container, or none of ours. */
  Optional<ContainerState> state(TaskId task) {
    try {
      var container = docker.inspectContainerCmd(name(task)).exec();
      Map<String, String> marks = container.getConfig().getLabels();
      boolean ours = marks != null && labels.server().equals(marks.get(Labels.SERVER));
      return ours ? Optional.of(container.getState()) : Optional.empty();
    } catch (NotFoundException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      throw DockerProblem.of(e).exception("the Docker engine does not answer", e);
    }
  }

  void start(TaskId task) {
    try {
      docker.startContainerCmd(name(task)).exec();
    } catch (NotModifiedException e) {
      // it runs
    }
  }

  /** False if it does not run. */
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

  /** Kills it first if it runs. Volumes that its image made go with it. */
  void remove(TaskId task) {
    remove(name(task));
  }

  private void remove(String container) {
    try {
      docker.removeContainerCmd(container).withForce(true).withRemoveVolumes(true).exec();
    } catch (NotFoundException e) {
      // it is gone
    } catch (ConflictException e) {
      throw EngineException.passing("the task's container is being removed just now");
    } catch (RuntimeException e) {
      throw DockerProblem.of(e).exception("the task's container can't be removed", e);
    }
  }
}
