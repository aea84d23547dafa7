package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The properties of an image that its containers depend on.
 *
 * @param user user setting of the image: empty, a name or a number, optionally with a group
 * @param workingDirectory empty if the image specifies none
 */
record LocalImage(String id, String user, String workingDirectory) {
  /**
   * Names of images. The name becomes part of a URL of the engine, so no special characters are
   * allowed.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");

  private static final List<Path> PLATFORM_DIRECTORIES =
      List.of(
          Path.of(ContainerSpecBuilder.PLATFORM_DIRECTORY),
          Path.of("/var/run/nvidia-container-devices"),
          Path.of("/run/nvidia-container-devices"));

  private static final List<Path> KERNEL_DIRECTORIES =
      List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

  /** Returns the initial working directory of a container that runs this task. */
  String workingDirectoryFor(TaskSpec spec) {
    return workingDirectory.isEmpty() ? spec.workingDirectory() : workingDirectory;
  }

  /**
   * @param targets mount points of the task's volumes
   * @throws EngineException if the image is missing, has another architecture, or cannot be used
   *     with these volumes
   */
  static LocalImage load(
      DockerClient docker, String name, String architecture, List<String> targets) {
    if (!NAME.matcher(name).matches() || name.contains("..") || name.contains("//")) {
      throw new EngineException("'" + name + "' is not a valid image name");
    }
    InspectImageResponse image;
    try {
      image = docker.inspectImageCmd(name).exec();
    } catch (NotFoundException e) {
      throw new EngineException("the image " + name + " is not on this node");
    } catch (DockerException e) {
      throw DockerProblem.of(e).toException("failed to inspect the image " + name, e);
    }
    String imageArchitecture = image.getArch() == null ? "" : image.getArch();
    if (!imageArchitecture.isEmpty() && !imageArchitecture.equals(architecture)) {
      throw new EngineException(
          "the image "
              + name
              + " has the architecture "
              + imageArchitecture
              + ", but this node has "
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
   * Rejects settings that the author of an image could exploit: a volume of the image could cover
   * the platform's files or request devices from NVIDIA's runtime, and a start in a kernel
   * directory has allowed container escapes (CVE-2024-21626). Also rejects settings that cannot
   * work: a volume at the root is invalid for Docker, and a volume inside a volume of the task
   * would hide the files there and lose what is written to it. If the image has a volume at exactly
   * the same path as the task, the task's volume takes precedence.
   */
  private static void check(String name, ContainerConfig config, List<Path> targets) {
    if (config.getVolumes() != null) {
      for (String volume : config.getVolumes().keySet()) {
        rejectIf(
            name,
            "VOLUME",
            volume,
            path -> isIn(PLATFORM_DIRECTORIES, path),
            "one of the platform's paths");
        rejectIf(name, "VOLUME", volume, Path.of("/")::equals, "which can't be mounted");
        rejectIf(
            name,
            "VOLUME",
            volume,
            path -> isIn(targets, path) && !targets.contains(path),
            "inside a volume of the task, where it would hide files");
      }
    }
    if (config.getWorkingDir() != null) {
      rejectIf(
          name,
          "WORKDIR",
          config.getWorkingDir(),
          path -> isIn(KERNEL_DIRECTORIES, path),
          "one of the kernel's paths");
    }
  }

  private static boolean isIn(List<Path> directories, Path path) {
    return directories.stream().anyMatch(path::startsWith);
  }

  private static void rejectIf(
      String name, String instruction, String value, Predicate<Path> isForbidden, String reason) {
    try {
      Path path = Path.of("/").resolve(value).normalize();
      if (!isForbidden.test(path)) {
        return;
      }
    } catch (InvalidPathException e) {
      throw new EngineException(
          "the image " + name + " has a " + instruction + " that is invalid", e);
    }
    throw new EngineException(
        "the image " + name + " has the " + instruction + " " + value + ", " + reason);
  }
}
