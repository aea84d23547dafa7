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
 * The host files that are mounted in a task's container. The container's root user can change the
 * owner and the permissions of these files, and can turn a file into a setuid-root program.
 * Therefore the server reclaims the files when the task has ended. A task cannot replace the files
 * by links, because single files are mounted, and cannot create hard links to them elsewhere,
 * because every bind mount is a separate mount.
 */
final class TaskFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);
  private static final int PERMISSION_BITS = 07777;

  /** The modes that {@link ContainerPreparer} sets, or that an earlier reclaim has set. */
  private static final Set<Integer> EXPECTED_MODES = Set.of(0666, 0644, 0600);

  private final PrivilegedOperations privilegedOperations;
  private final ServerAccount server;

  TaskFiles(PrivilegedOperations privilegedOperations, ServerAccount server) {
    this.privilegedOperations = privilegedOperations;
    this.server = server;
  }

  /**
   * Reclaims the files; logs a failure, which must not prevent the end of the task from being
   * reported.
   */
  void reclaim(DockerTaskDirectory task, TaskSpec spec) {
    List<Path> files = new ArrayList<>(List.of(task.file("end"), task.file("hosts")));
    for (LogStream stream : LogStream.values()) {
      files.add(spec.logDirectory().resolve(stream.fileName()));
    }
    for (Path file : files) {
      try {
        if (!isUnchanged(file)) {
          privilegedOperations.reclaimFile(file);
        }
      } catch (NoSuchFileException e) {
        LOG.debug("{} no longer exists", file);
      } catch (IOException | RuntimeException e) {
        LOG.warn("failed to reclaim {} from its task", file, e);
      }
    }
  }

  private boolean isUnchanged(Path file) throws IOException {
    var attributes = Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    return attributes.get("uid").equals(server.user())
        && EXPECTED_MODES.contains((Integer) attributes.get("mode") & PERMISSION_BITS);
  }
}
