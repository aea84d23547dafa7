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
 * The images an engine has on its machine, and the way to registries. What takes long is given up
 * when its thread is interrupted. Every method may throw {@link ImageException}. Implementations
 * are thread-safe.
 */
public interface ImageStore {
  /** Where they are kept; empty if that can't be told. */
  default Optional<Path> directory() {
    return Optional.empty();
  }

  /** All that have a name. */
  List<LocalImage> list();

  Optional<LocalImage> find(ImageReference reference);

  /** Also finds what has lost its names. */
  default Optional<LocalImage> findById(String id) {
    return list().stream().filter(image -> image.id().equals(id)).findFirst();
  }

  /** The ids of all images that a container is made of, whether it runs or not. */
  Set<String> usedIds();

  /**
   * Fetches an image; if the machine has the newest, that is quickly found out.
   *
   * @param progress called now and then on any thread
   */
  LocalImage pull(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress);

  /** Sends an image to the registry its name says. */
  void push(ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress);

  /** Gives an image one more name, which another image may lose by it. */
  void tag(ImageReference from, ImageReference to);

  /** Takes a name away, and the image if that was its last. One in use stays. */
  void remove(ImageReference reference);

  /**
   * Makes an image of what a task has changed in its own file system; it pauses meanwhile.
   *
   * @param labels to be kept with the image
   */
  LocalImage commit(TaskId task, ImageReference as, Map<String, String> labels);

  /**
   * What an image says of its containers.
   *
   * @param name as an engine is told it
   */
  default ImageSettings settings(String name) {
    throw new ImageException(ImageException.Kind.OTHER, "this engine can't build images");
  }

  /**
   * The same as commit, of a task that has ended too, with settings of its own.
   *
   * @param change gives the image's settings for those of the image the task was made of
   */
  default LocalImage build(
      TaskId task,
      ImageReference as,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    throw new ImageException(ImageException.Kind.OTHER, "this engine can't build images");
  }
}
