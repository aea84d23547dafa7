package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Path;

/** The few things that only root can do. Thread-safe for different tasks. */
interface PrivilegedOperations extends AutoCloseable {
  /** Makes a directory a mount of its own, so that what is mounted below turns up nowhere else. */
  void makePrivate(Path place) throws IOException;

  void mount(VolumeMount mount) throws IOException;

  /** Takes away what is mounted at a path or below. */
  void unmount(Path place) throws IOException;

  /**
   * Keeps containers with these addresses from the machine's metadata.
   *
   * @param podman whether Podman is the engine
   */
  void blockLinkLocal(AddressRange containers, boolean podman) throws IOException;

  /** See {@link dev.trainyard.engine.Engine#openToServer}. */
  void openTree(Path tree) throws IOException;

  /** See {@link dev.trainyard.engine.Engine#giveToServer}. */
  void giveTree(Path tree) throws IOException;

  /** Makes a file that a task could change the server's alone. */
  void takeFile(Path file) throws IOException;

  @Override
  void close();
}
