package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Path;

/** Operations that require root. Calls for different tasks may run concurrently. */
interface PrivilegedOperations extends AutoCloseable {
  /** Makes a directory a private mount, so that mounts below it do not propagate. */
  void makePrivate(Path directory) throws IOException;

  void mount(VolumeMount mount) throws IOException;

  /** Unmounts everything at a path or below. */
  void unmount(Path directory) throws IOException;

  /**
   * Blocks containers with these addresses from the host's metadata service.
   *
   * @param podman whether Podman is the engine
   */
  void blockMetadataServices(AddressRange containers, boolean podman) throws IOException;

  /**
   * Makes a tree readable for the server; see {@link
   * dev.trainyard.engine.Engine#makeReadableByServer}.
   */
  void makeTreeReadable(Path tree) throws IOException;

  /** Deletes a tree; see {@link dev.trainyard.engine.Engine#deleteTree}. */
  void deleteTree(Path tree) throws IOException;

  /**
   * Makes the server's account the owner of a file that a task could change, with access for the
   * owner only.
   */
  void reclaimFile(Path file) throws IOException;

  @Override
  void close();
}
