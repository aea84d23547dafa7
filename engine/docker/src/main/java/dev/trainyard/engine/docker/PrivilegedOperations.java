package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Path;

/** The few operations that require root. Thread-safe for different tasks. */
interface PrivilegedOperations extends AutoCloseable {
  /** Makes a directory a private mount, so that mounts below it do not propagate. */
  void makePrivate(Path place) throws IOException;

  void mount(VolumeMount mount) throws IOException;

  /** Unmounts everything at a path or below. */
  void unmount(Path place) throws IOException;

  /**
   * Blocks containers with these addresses from the host's metadata service.
   *
   * @param podman whether Podman is the engine
   */
  void blockLinkLocal(AddressRange containers, boolean podman) throws IOException;

  /** See {@link dev.trainyard.engine.Engine#openToServer}. */
  void openTree(Path tree) throws IOException;

  /** See {@link dev.trainyard.engine.Engine#giveToServer}. */
  void giveTree(Path tree) throws IOException;

  /** Makes the server the only owner of a file that a task could change. */
  void takeFile(Path file) throws IOException;

  @Override
  void close();
}
