package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.StopMark;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directories of all tasks. */
record DockerTaskDirectories(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(DockerTaskDirectories.class);

  static DockerTaskDirectories open(Path path) throws IOException {
    Files.createDirectories(path);
    StopMark.createExpired(DockerTaskDirectory.expiredStop(path));
    Linux.changeMode(path.toString(), 0700);
    return new DockerTaskDirectories(path);
  }

  DockerTaskDirectory of(TaskId task) {
    return new DockerTaskDirectory(task, path.resolve(task.toString()));
  }

  /** Returns the directories of all tasks, including incompletely created ones. */
  List<DockerTaskDirectory> list() {
    List<DockerTaskDirectory> directories = new ArrayList<>();
    try (var entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        try {
          directories.add(
              new DockerTaskDirectory(TaskId.parse(entry.getFileName().toString()), entry));
        } catch (IllegalArgumentException e) {
          LOG.warn("{} does not belong to a task and is kept", entry);
        }
      }
    } catch (IOException e) {
      throw new EngineException("failed to list the tasks: " + e.getMessage(), e);
    }
    return directories;
  }
}
