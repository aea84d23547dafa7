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
   * @throws EngineException if it is not here, or was made for other machines
   */
  static LocalImage load(DockerClient docker, String name, String architecture) {
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
    check(name, config);
    return new LocalImage(
        image.getId(),
        config.getUser() == null ? "" : config.getUser(),
        config.getWorkingDir() == null ? "" : config.getWorkingDir());
  }

  /**
   * What an image's maker could gain something by: a volume of the image's own would cover our
   * files, or ask NVIDIA's runtime for cards; a start in a directory of the kernel's has let
   * containers out before (CVE-2024-21626).
   */
  private static void check(String name, ContainerConfig config) {
    if (config.getVolumes() != null) {
      for (String volume : config.getVolumes().keySet()) {
        refuse(name, "VOLUME", volume, OURS, "a place of the platform's");
      }
    }
    if (config.getWorkingDir() != null) {
      refuse(name, "WORKDIR", config.getWorkingDir(), KERNELS, "a place of the kernel's");
    }
  }

  private static void refuse(
      String name, String word, String written, List<Path> places, String why) {
    try {
      Path path = Path.of("/").resolve(written).normalize();
      if (places.stream().noneMatch(path::startsWith)) {
        return;
      }
    } catch (InvalidPathException e) {
      throw new EngineException("the image " + name + " has a " + word + " that is no path", e);
    }
    throw new EngineException(
        "the image " + name + " has the " + word + " " + written + ", " + why);
  }
}
