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
 * Docker engine. If it is lost, for example in a restart of the engine, it is replaced when needed.
 */
final class RootHelper implements PrivilegedOperations {
  private static final Logger LOG = LoggerFactory.getLogger(RootHelper.class);

  /** For operations that are fast unless the host is very busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** For operations on a whole file tree. */
  private static final Duration LONG_PATIENCE = Duration.ofMinutes(30);

  private final RootHelperContainer containers;
  private final Path data;
  private RootHelperContainer.Running running;
  private boolean closed;

  /**
   * @param data data directory of the server, as used in volumes
   */
  RootHelper(RootHelperContainer containers, Path data) throws IOException {
    this.containers = containers;
    this.data = data;
    containers.removeAll();
    try {
      running = containers.start();
    } catch (IOException e) {
      containers.close();
      throw e;
    }
  }

  @Override
  public void makePrivate(Path place) throws IOException {
    ask(List.of("private"));
  }

  @Override
  public void mount(VolumeMount mount) throws IOException {
    ask(
        List.of(
            "mount",
            below(mount.source()),
            mount.on().getParent().getFileName().toString(),
            mount.on().getFileName().toString(),
            mount.access().name(),
            Integer.toString(mount.idRange()),
            Integer.toString(mount.user().user()),
            Integer.toString(mount.user().group())));
  }

  @Override
  public void unmount(Path place) throws IOException {
    boolean all = place.endsWith(RootHelperMain.MOUNTS);
    ask(all ? List.of("unmount") : List.of("unmount", place.getFileName().toString()));
  }

  @Override
  public void blockLinkLocal(AddressRange range, boolean podman) throws IOException {
    ask(List.of("block", range.toString(), Boolean.toString(podman)));
  }

  @Override
  public void openTree(Path tree) throws IOException {
    askSeparately(List.of("open", below(tree)));
  }

  @Override
  public void giveTree(Path tree) throws IOException {
    askSeparately(List.of("give", below(tree)));
  }

  @Override
  public void takeFile(Path file) throws IOException {
    ask(List.of("take", below(file)));
  }

  /**
   * Uses a separate root helper, because the operation may take long and tasks must be able to
   * start at the same time.
   */
  private void askSeparately(List<String> words) throws IOException {
    if (!Files.isDirectory(data.resolve(words.get(1)), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (RootHelperContainer.Running own = containers.start()) {
      RootHelperMessage.check(own.ask(RootHelperMessage.of(words), LONG_PATIENCE));
    }
  }

  private String below(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    if (!whole.startsWith(data)) {
      throw new EngineException(path + " is not in the server's data directory");
    }
    return data.relativize(whole).toString();
  }

  private void ask(List<String> words) throws IOException {
    RootHelperMessage.check(answer(RootHelperMessage.of(words)));
  }

  /**
   * Sends a request and repeats it with a new root helper if necessary; all requests are
   * idempotent.
   */
  private synchronized String answer(String request) {
    if (closed) {
      throw EngineException.passing("the server is shutting down");
    }
    try {
      return running.ask(request, PATIENCE);
    } catch (IOException lost) {
      LOG.info("the root helper has ended and is restarted: {}", lost.getMessage());
    }
    try {
      running.close();
      running = containers.start();
      return running.ask(request, PATIENCE);
    } catch (IOException e) {
      throw new EngineException("the privileged operation failed: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    running.close();
    containers.close();
  }
}
