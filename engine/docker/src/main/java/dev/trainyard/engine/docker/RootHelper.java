package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Privileged operations that are performed by a root process, which the server starts through the
 * Docker engine. If that process is lost, for example in a restart of the engine, the next
 * operation starts another root process.
 */
final class RootHelper implements PrivilegedOperations {
  private static final Logger LOG = LoggerFactory.getLogger(RootHelper.class);

  /** Timeout of operations that are fast unless the host is very busy. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Timeout of operations on a whole file tree. */
  private static final Duration TREE_TIMEOUT = Duration.ofMinutes(30);

  private final RootHelperContainer helperContainers;
  private final Path dataDirectory;
  private RootHelperContainer.Running runningHelper;
  private boolean closed;

  /**
   * @param dataDirectory data directory of the server, as used in volumes
   */
  RootHelper(RootHelperContainer helperContainers, Path dataDirectory) throws IOException {
    this.helperContainers = helperContainers;
    this.dataDirectory = dataDirectory;
    helperContainers.removeAll();
    try {
      runningHelper = helperContainers.start();
    } catch (IOException e) {
      helperContainers.close();
      throw e;
    }
  }

  @Override
  public void makePrivate(Path directory) throws IOException {
    perform(List.of("private"));
  }

  @Override
  public void mount(VolumeMount volumeMount) throws IOException {
    perform(
        List.of(
            "mount",
            relativePath(volumeMount.source()),
            volumeMount.mountPoint().getParent().getFileName().toString(),
            volumeMount.mountPoint().getFileName().toString(),
            volumeMount.access().name(),
            Integer.toString(volumeMount.idRange()),
            Integer.toString(volumeMount.user().user()),
            Integer.toString(volumeMount.user().group())));
  }

  @Override
  public void unmount(Path directory) throws IOException {
    boolean allTasks = directory.endsWith(RootHelperMain.MOUNT_DIRECTORY);
    perform(allTasks ? List.of("unmount") : List.of("unmount", directory.getFileName().toString()));
  }

  @Override
  public void blockMetadataServices(AddressRange range, boolean podman) throws IOException {
    perform(List.of("block", range.toString(), Boolean.toString(podman)));
  }

  @Override
  public void makeTreeReadable(Path tree) throws IOException {
    performSeparately(List.of("open", relativePath(tree)));
  }

  @Override
  public void deleteTree(Path tree) throws IOException {
    performSeparately(List.of("delete", relativePath(tree)));
  }

  @Override
  public void reclaimFile(Path file) throws IOException {
    perform(List.of("take", relativePath(file)));
  }

  /**
   * Performs an operation with a separate root helper, because the operation may take long and
   * tasks must be able to start at the same time.
   */
  private void performSeparately(List<String> request) throws IOException {
    if (!Files.isDirectory(dataDirectory.resolve(request.get(1)), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (RootHelperContainer.Running separateHelper = helperContainers.start()) {
      RootHelperMessage.throwIfFailed(
          separateHelper.send(RootHelperMessage.encode(request), TREE_TIMEOUT));
    }
  }

  private String relativePath(Path path) {
    Path absolutePath = path.toAbsolutePath().normalize();
    if (!absolutePath.startsWith(dataDirectory)) {
      throw new EngineException(path + " is not in the server's data directory");
    }
    return dataDirectory.relativize(absolutePath).toString();
  }

  private void perform(List<String> request) throws IOException {
    RootHelperMessage.throwIfFailed(send(RootHelperMessage.encode(request)));
  }

  /**
   * Sends a request and repeats it with a new root helper if necessary; all requests are
   * idempotent.
   */
  private synchronized String send(String request) {
    if (closed) {
      throw EngineException.transientFailure("the server is shutting down");
    }
    try {
      return runningHelper.send(request, TIMEOUT);
    } catch (IOException e) {
      LOG.info("the root helper has ended and is restarted: {}", e.getMessage());
    }
    try {
      runningHelper.close();
      runningHelper = helperContainers.start();
      return runningHelper.send(request, TIMEOUT);
    } catch (IOException e) {
      throw new EngineException("the privileged operation failed: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    runningHelper.close();
    helperContainers.close();
  }
}
