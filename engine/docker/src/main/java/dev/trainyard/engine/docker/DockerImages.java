package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Image;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.TaskId;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The image store of a Docker engine. Thread-safe. */
public final class DockerImages implements ImageStore {
  private static final String NO_NAME = "<none>:<none>";

  private final DockerClient client;
  private final ImageTransfers transfers;
  private final ImageCommit imageCommit;
  private final Function<TaskId, Optional<String>> containerFinder;

  /**
   * Cache of architectures by image ID. Image lists do not include the architecture, which never
   * changes.
   */
  private final Map<String, String> architectures = new ConcurrentHashMap<>();

  /**
   * @param containerFinder finds the ID of a task's container
   */
  public DockerImages(
      DockerConnection connection, Function<TaskId, Optional<String>> containerFinder) {
    this.client = connection.client();
    this.transfers = new ImageTransfers(client);
    this.imageCommit = new ImageCommit(connection);
    this.containerFinder = containerFinder;
  }

  @Override
  public Optional<Path> directory() {
    return translate(
        () -> Optional.ofNullable(client.infoCmd().exec().getDockerRootDir()).map(Path::of));
  }

  @Override
  public List<LocalImage> list() {
    return translate(
        () -> {
          List<LocalImage> images = new ArrayList<>();
          for (Image image : client.listImagesCmd().exec()) {
            List<String> names = names(tags(image));
            if (!names.isEmpty()) {
              architecture(image.getId())
                  .ifPresent(architecture -> images.add(toLocalImage(image, names, architecture)));
            }
          }
          return images;
        });
  }

  private static LocalImage toLocalImage(Image image, List<String> names, String architecture) {
    return new LocalImage(
        image.getId(),
        names,
        image.getSize(),
        Instant.ofEpochSecond(image.getCreated()),
        architecture,
        Optional.ofNullable(image.getLabels()).orElse(Map.of()));
  }

  private static List<String> tags(Image image) {
    return image.getRepoTags() == null ? List.of() : List.of(image.getRepoTags());
  }

  /** Returns the names in Docker's short form; Podman lists them in full form. */
  private static List<String> names(List<String> tags) {
    return tags.stream()
        .filter(tag -> !tag.equals(NO_NAME))
        .map(tag -> ImageReference.parse(tag).map(ImageReference::familiarName).orElse(tag))
        .toList();
  }

  /** Returns the architecture; empty if the image was just removed. */
  private Optional<String> architecture(String id) {
    String cachedArchitecture = architectures.get(id);
    if (cachedArchitecture != null) {
      return Optional.of(cachedArchitecture);
    }
    try {
      String architecture =
          Optional.ofNullable(client.inspectImageCmd(id).exec().getArch()).orElse("");
      architectures.put(id, architecture);
      return Optional.of(architecture);
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<LocalImage> find(ImageReference reference) {
    return translate(() -> inspect(reference.toString()));
  }

  @Override
  public Optional<LocalImage> findById(String id) {
    return translate(() -> inspect(id));
  }

  private Optional<LocalImage> inspect(String name) {
    try {
      InspectImageResponse response = client.inspectImageCmd(name).exec();
      Map<String, String> labels =
          response.getConfig() == null || response.getConfig().getLabels() == null
              ? Map.of()
              : response.getConfig().getLabels();
      return Optional.of(
          new LocalImage(
              response.getId(),
              names(Optional.ofNullable(response.getRepoTags()).orElse(List.of())),
              Optional.ofNullable(response.getSize()).orElse(0L),
              parseTime(response.getCreated()),
              Optional.ofNullable(response.getArch()).orElse(""),
              labels));
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }

  private static Instant parseTime(String text) {
    try {
      return text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH; // images that other tools created may contain any text here
    }
  }

  @Override
  public Set<String> usedIds() {
    return translate(
        () ->
            client.listContainersCmd().withShowAll(true).exec().stream()
                .map(Container::getImageId)
                .collect(Collectors.toSet()));
  }

  @Override
  public LocalImage pull(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    AtomicBoolean progressReported = new AtomicBoolean();
    String name =
        translate(
            () ->
                transfers.pull(
                    reference, access, step -> report(step, progressReported, progress)));
    LocalImage image =
        translate(() -> inspect(name))
            .orElseThrow(
                () -> new ImageException(Kind.OTHER, "the image was removed while it was pulled"));
    reportComplete(image, progressReported, progress);
    return image;
  }

  private static void report(
      PullProgress step, AtomicBoolean progressReported, Consumer<PullProgress> progress) {
    progressReported.set(true);
    progress.accept(step);
  }

  /**
   * Reports the full size if Docker reported no progress because the transfer was very short or
   * nothing had to be transferred.
   */
  private static void reportComplete(
      LocalImage image, AtomicBoolean progressReported, Consumer<PullProgress> progress) {
    if (!progressReported.get()) {
      progress.accept(new PullProgress(image.size(), image.size()));
    }
  }

  @Override
  public void push(
      ImageReference reference, RegistryAccess access, Consumer<PullProgress> progress) {
    AtomicBoolean progressReported = new AtomicBoolean();
    translate(
        () -> {
          transfers.push(reference, access, step -> report(step, progressReported, progress));
          return reference;
        });
    find(reference).ifPresent(image -> reportComplete(image, progressReported, progress));
  }

  @Override
  public void tag(ImageReference from, ImageReference to) {
    translate(() -> client.tagImageCmd(from.toString(), to.name(), to.tag()).exec());
  }

  @Override
  public void remove(ImageReference reference) {
    LocalImage image =
        find(reference).orElseThrow(() -> new ImageException(Kind.UNKNOWN_IMAGE, "no such image"));
    // Docker checks this only when the last name is removed, but no name of an image in use may be
    // removed.
    if (usedIds().contains(image.id())) {
      throw new ImageException(Kind.IN_USE, "a container uses the image");
    }
    translate(() -> client.removeImageCmd(reference.toString()).exec());
    architectures.remove(image.id());
  }

  @Override
  public ImageSettings settings(String name) {
    return translate(
        () -> ImageSettingsConverter.of(client.inspectImageCmd(name).exec().getConfig()));
  }

  @Override
  public LocalImage commit(TaskId task, ImageReference target, Map<String, String> labels) {
    return build(task, target, labels, UnaryOperator.identity());
  }

  @Override
  public LocalImage build(
      TaskId task,
      ImageReference target,
      Map<String, String> labels,
      UnaryOperator<ImageSettings> change) {
    String container =
        containerFinder
            .apply(task)
            .orElseThrow(() -> new ImageException(Kind.OTHER, "the task has no container"));
    translate(
        () -> {
          imageCommit.commit(container, target, labels, change);
          return target;
        });
    return find(target).orElseThrow(() -> new ImageException(Kind.OTHER, "no image was created"));
  }

  private static <T> T translate(Supplier<T> call) {
    try {
      return call.get();
    } catch (ImageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw ImageErrors.of(e);
    }
  }
}
