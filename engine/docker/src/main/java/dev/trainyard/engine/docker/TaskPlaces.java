package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directories of all tasks. */
record TaskPlaces(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(TaskPlaces.class);

  static TaskPlaces open(Path path) throws IOException {
    Files.createDirectories(path);
    Linux.changeMode(path.toString(), 0700);
    return new TaskPlaces(path);
  }

  TaskPlace of(TaskId task) {
    return new TaskPlace(task, path.resolve(task.toString()));
  }

  /** Also those that were not wholly made. */
  List<TaskPlace> list() {
    List<TaskPlace> found = new ArrayList<>();
    try (var all = Files.newDirectoryStream(path)) {
      for (Path place : all) {
        try {
          found.add(new TaskPlace(TaskId.parse(place.getFileName().toString()), place));
        } catch (IllegalArgumentException e) {
          LOG.warn("{} is no task's and stays", place);
        }
      }
    } catch (IOException e) {
      throw new EngineException("the tasks can't be listed: " + e.getMessage(), e);
    }
    return found;
  }
}
