package dev.trainyard.engine.docker;

import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the machine that are bound into a task's container. Root of the container may give
 * them to anybody, close them, or make a program with root's rights of one: once the task has ended
 * they become the server's again. They can't be replaced by links, as single files are bound, nor
 * be linked elsewhere, as every bind is a mount of its own.
 */
final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);
  private static final int RIGHTS = 07777;

  /** As the workshop makes them, or as they were taken back before. */
  private static final Set<Integer> USUAL = Set.of(0666, 0644, 0600);

  private final PrivilegedOperations root;
  private final ServerAccount server;

  TaskFiles(PrivilegedOperations root, ServerAccount server) {
    this.root = root;
    this.server = server;
  }

  /** One that can't be taken back keeps nobody from learning of the end. */
  void takeBack(DockerTaskDirectory task, TaskSpec spec) {
    List<Path> files = new ArrayList<>(List.of(task.file("end"), task.file("hosts")));
    for (LogStream stream : LogStream.values()) {
      files.add(spec.logDirectory().resolve(stream.fileName()));
    }
    for (Path file : files) {
      try {
        if (!isAsMade(file)) {
          root.takeFile(file);
        }
      } catch (NoSuchFileException e) {
        LOG.debug("{} is gone", file);
      } catch (IOException | RuntimeException e) {
        LOG.warn("{} can't be taken back from its task", file, e);
      }
    }
  }

  private boolean isAsMade(Path file) throws IOException {
    var found = Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    return found.get("uid").equals(server.user())
        && USUAL.contains((Integer) found.get("mode") & RIGHTS);
  }
}
