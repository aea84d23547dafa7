package dev.trainyard.engine.docker;

import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Labels of all objects in the engine that belong to this server. Several servers may share one
 * engine; each handles only objects with the ID of its own data directory.
 *
 * @param serverId ID of the server's data directory
 */
record Labels(String serverId) {
  private static final Logger LOG = LoggerFactory.getLogger(Labels.class);

  static final String SERVER = "dev.trainyard.server";
  static final String TASK = "dev.trainyard.task";
  static final String JOB = "dev.trainyard.job";

  /** Label of the container of this server's root helper. */
  static final String ROOT_HELPER = "dev.trainyard.keeper";

  /**
   * Version of the container layout, so that a later server version can treat older containers
   * differently.
   */
  static final String LAYOUT = "dev.trainyard.layout";

  private static final String CURRENT_LAYOUT = "1";
  private static final int ID_BYTES = 6;

  /**
   * Loads the labels for the ID of a data directory, which is generated on first use and stored in
   * this file.
   */
  static Labels load(Path file) throws IOException {
    try {
      String id = Files.readString(file).strip();
      if (!id.matches("[0-9a-f]{12}")) {
        throw new IOException(file + " was modified by another program");
      }
      return new Labels(id);
    } catch (NoSuchFileException e) {
      AtomicFile.write(file, file.resolveSibling("id.draft"), randomId() + "\n");
      return load(file);
    }
  }

  /**
   * Returns the labels for the ID of the data directory, and records that this directory uses the
   * ID. A copied directory gets a new ID as long as the original exists; otherwise two servers
   * would manage each other's containers.
   *
   * @param engineDirectory real path of the engine's directory in the data directory
   */
  static Labels claim(Path engineDirectory) throws IOException {
    Path file = engineDirectory.resolve("id");
    Path locationFile = engineDirectory.resolve("id.place");
    if (Files.exists(file) && Files.exists(locationFile)) {
      Path recordedDirectory = Path.of(Files.readString(locationFile).strip());
      if (!recordedDirectory.equals(engineDirectory)
          && mayHaveSameId(recordedDirectory.resolve("id"), file)) {
        LOG.warn(
            "{} may be a copy of {}; assigning a new ID to the copy and leaving existing containers"
                + " to the server of the original",
            engineDirectory,
            recordedDirectory);
        Files.delete(file);
      }
    }
    Labels labels = load(file);
    AtomicFile.write(locationFile, engineDirectory.resolve("id.draft"), engineDirectory + "\n");
    return labels;
  }

  /**
   * Returns whether another directory has the same ID, or cannot be read and therefore may have the
   * same ID.
   */
  private static boolean mayHaveSameId(Path otherFile, Path file) {
    if (Files.notExists(otherFile)) {
      return false;
    }
    try {
      return !Files.isSameFile(otherFile, file)
          && Files.readString(otherFile).equals(Files.readString(file));
    } catch (IOException e) {
      LOG.warn("failed to read {}", otherFile, e);
      return true;
    }
  }

  private static String randomId() {
    byte[] bytes = new byte[ID_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  Map<String, String> serverLabels() {
    return Map.of(SERVER, serverId, LAYOUT, CURRENT_LAYOUT);
  }

  Map<String, String> taskLabels(TaskId task) {
    return Map.of(
        SERVER,
        serverId,
        LAYOUT,
        CURRENT_LAYOUT,
        TASK,
        task.toString(),
        JOB,
        task.job().toString());
  }

  Map<String, String> rootHelperLabels() {
    return Map.of(SERVER, serverId, LAYOUT, CURRENT_LAYOUT, ROOT_HELPER, "1");
  }

  /** Returns a unique container name, because several root helpers may exist at a time. */
  String rootHelperName() {
    return "trainyard-" + serverId + "-keeper-" + randomId();
  }

  /**
   * Returns the container name, in which Docker does not allow a tilde. Names are unique across
   * tasks and servers, because after a restore to another directory two servers know the same
   * tasks.
   */
  String containerName(TaskId task) {
    return "trainyard-" + serverId + "-" + task.toString().replace("_", "__").replace("~", "_t");
  }

  String networkName(AddressRange range) {
    return "trainyard-" + serverId + "-" + range.address(0);
  }
}
