package dev.trainyard.engine;

import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.TaskId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The images that an engine stores on its node, and its access to registries. Interrupting the
 * calling thread cancels a long operation. Every method may throw {@link ImageException}.
 * Implementations are thread-safe.
 */
public interface ImageStore {
  /** Returns the directory where images are stored; empty if it is unknown. */
  default Optional<Path> directory() {
    return Optional.empty();
  }

  /** Returns all images that have a name. */
  List<LocalImage> list();

  Optional<LocalImage> find(ImageReference reference);

  /** Returns an image by its ID, including images that no longer have a name. */
  default Optional<LocalImage> findById(String id) {
    return list().stream().filter(image -> image.id().equals(id)).findFirst();
  }

  /**
   * Returns the IDs of all images that a container uses, whether the container is running or not.
   */
  Set<String> usedIds();

  /**
   * Pulls an image; returns quickly if the node already has the latest version.
   *
   * @param progress called occasionally, on any thread
   */
  LocalImage pull(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress);

  /** Pushes an image to the registry that is part of its name. */
  void push(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress);

  /** Adds a name to an image. If another image had this name, that image loses it. */
  void tag(ImageReference existingName, ImageReference newName);

  /**
   * Removes a name of an image, and the image itself if that was its last name. Fails if a
   * container uses the image.
   */
  void remove(ImageReference reference);

  /**
   * Creates an image from the file system of a task, including the task's changes. The task is
   * paused during the operation.
   *
   * @param labels stored with the image
   */
  LocalImage commit(TaskId task, ImageReference target, Map<String, String> labels);

  /**
   * Returns the container settings of an image.
   *
   * @param name name of the image, as in {@link TaskSpec#image}
   */
  default ImageSettings settings(String name) {
    throw new ImageException(ImageException.Kind.OTHER, "this engine can't build images");
  }

  /**
   * Like {@link #commit}, but also works for a task that has ended, and changes the settings of the
   * image.
   *
   * @param change maps the settings of the task's image to the settings of the new image
   */
  default LocalImage build(
      TaskId task,
      ImageReference target,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    throw new ImageException(ImageException.Kind.OTHER, "this engine can't build images");
  }
}
