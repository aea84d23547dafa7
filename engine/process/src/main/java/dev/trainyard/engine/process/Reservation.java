package dev.trainyard.engine.process;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.PlatformFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Creates the directory of a task, with everything that does not depend on the sandbox. */
final class Reservation {
  private Reservation() {}

  /** Creates all files except {@code spec.json}, which marks the reservation as complete. */
  static void create(TaskSpec spec, TaskDirectory task) throws IOException {
    Linux.createDirectory(Linux.AT_FDCWD, task.path().toString(), 0700);
    for (String fifo : List.of("out", "err")) {
      Linux.createNode(Linux.AT_FDCWD, task.file(fifo).toString(), Linux.FIFO, 0622, 0);
    }
    Files.writeString(task.file("state"), TaskState.INITIAL_CONTENT);
    Files.createFile(task.file("error"));
    PlatformFiles.create(spec, task.platform());
    PlatformFiles.createLogDirectory(spec.logDirectory());
  }
}
