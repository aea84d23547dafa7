package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import dev.trainyard.engine.EngineException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a container has to know of its image.
 *
 * @param user as the image's maker wrote it: empty, a name, a number, either with a group
 * @param workingDirectory empty if the image names none
 */
record LocalImage(String id, String user, String workingDirectory) {
  /** It becomes part of an address of the engine's: nothing in it may mean anything there. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");

  private static final List<Path> OURS =
      List.of(
          Path.of(Container.PLATFORM),
          Path.of("/var/run/nvidia-container-devices"),
          Path.of("/run/nvidia-container-devices"));

  private static final List<Path> KERNELS =
      List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

  /**
   * @param targets where the task's volumes are mounted
   * @throws EngineException if it is not here, was made for other machines, or can't be used so
   */
  static LocalImage load(
      DockerClient docker, String name, String architecture, List<String> targets) {
    if (!NAME.matcher(name).matches() || name.contains("..") || name.contains("//")) {
      throw new EngineException("'" + name + "' can't be the name of an image");
    }
    InspectImageResponse image;
    try {
      image = docker.inspectImageCmd(name).exec();
    } catch (NotFoundException e) {
      throw new EngineException("the image " + name + " is not on this machine");
    } catch (DockerException e) {
      throw DockerProblem.of(e).exception("the image " + name + " can't be used", e);
    }
    String made = image.getArch() == null ? "" : image.getArch();
    if (!made.isEmpty() && !made.equals(architecture)) {
      throw new EngineException(
          "the image "
              + name
              + " was made for machines of the kind "
              + made
              + ", and this one is "
              + architecture);
    }
    ContainerConfig config = image.getConfig();
    if (config == null) {
      return new LocalImage(image.getId(), "", "");
    }
    check(name, config, targets.stream().map(Path::of).toList());
    return new LocalImage(
        image.getId(),
        config.getUser() == null ? "" : config.getUser(),
        config.getWorkingDir() == null ? "" : config.getWorkingDir());
  }

  /**
   * What an image's maker could gain something by: a volume of the image's own would cover our
   * files, or ask NVIDIA's runtime for cards; a start in a directory of the kernel's has let
   * containers out before (CVE-2024-21626). And what can't work: a volume at the root of everything
   * is none for Docker, and one inside a volume of the task would hide what is there, and lose what
   * is written. At the very place of the task's the image's own gives way.
   */
  private static void check(String name, ContainerConfig config, List<Path> targets) {
    if (config.getVolumes() != null) {
      for (String volume : config.getVolumes().keySet()) {
        refuse(name, "VOLUME", volume, path -> isIn(OURS, path), "a place of the platform's");
        refuse(name, "VOLUME", volume, Path.of("/")::equals, "which can't be mounted");
        refuse(
            name,
            "VOLUME",
            volume,
            path -> isIn(targets, path) && !targets.contains(path),
            "inside a volume of the task, where it would hide files");
      }
    }
    if (config.getWorkingDir() != null) {
      refuse(
          name,
          "WORKDIR",
          config.getWorkingDir(),
          path -> isIn(KERNELS, path),
          "a place of the kernel's");
    }
  }

  private static boolean isIn(List<Path> places, Path path) {
    return places.stream().anyMatch(path::startsWith);
  }

  private static void refuse(
      String name, String word, String written, Predicate<Path> wrong, String why) {
    try {
      Path path = Path.of("/").resolve(written).normalize();
      if (!wrong.test(path)) {
        return;
      }
    } catch (InvalidPathException e) {
      throw new EngineException("the image " + name + " has a " + word + " that is no path", e);
    }
    throw new EngineException(
        "the image " + name + " has the " + word + " " + written + ", " + why);
  }
}
