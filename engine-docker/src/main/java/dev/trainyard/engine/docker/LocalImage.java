package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import dev.trainyard.engine.EngineException;
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
    return new LocalImage(
        image.getId(),
        config == null || config.getUser() == null ? "" : config.getUser(),
        config == null || config.getWorkingDir() == null ? "" : config.getWorkingDir());
  }
}
