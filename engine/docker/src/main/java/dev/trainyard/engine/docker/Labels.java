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
 * @param server that ID
 */
record Labels(String server) {
  private static final Logger LOG = LoggerFactory.getLogger(Labels.class);

  static final String SERVER = "dev.trainyard.server";
  static final String TASK = "dev.trainyard.task";
  static final String JOB = "dev.trainyard.job";

  /** Label of the container of this server's root helper. */
  static final String KEEPER = "dev.trainyard.keeper";

  /**
   * Version of the container layout, so that a later server version can treat older containers
   * differently.
   */
  static final String LAYOUT = "dev.trainyard.layout";

  private static final String THIS_LAYOUT = "1";
  private static final int BYTES = 6;

  /**
   * Returns the ID of a data directory, which is generated on first use and stored in this file.
   */
  static Labels of(Path file) throws IOException {
    try {
      String known = Files.readString(file).strip();
      if (!known.matches("[0-9a-f]{12}")) {
        throw new IOException(file + " was modified by another program");
      }
      return new Labels(known);
    } catch (NoSuchFileException e) {
      AtomicFile.write(file, file.resolveSibling("id.draft"), random() + "\n");
      return of(file);
    }
  }

  /**
   * Returns the ID of the data directory that contains this directory, for the only server that
   * uses it. A copied directory gets a new ID as long as the original exists; otherwise two servers
   * would manage each other's containers.
   *
   * @param place the engine's directory, by its real path
   */
  static Labels claim(Path place) throws IOException {
    Path file = place.resolve("id");
    Path mark = place.resolve("id.place");
    if (Files.exists(file) && Files.exists(mark)) {
      Path first = Path.of(Files.readString(mark).strip());
      if (!first.equals(place) && mayBeAnothers(first.resolve("id"), file)) {
        LOG.warn(
            "{} may be a copy of {}: it gets a new ID, and existing containers are left"
                + " to the server there",
            place,
            first);
        Files.delete(file);
      }
    }
    Labels labels = of(file);
    AtomicFile.write(mark, place.resolve("id.draft"), place + "\n");
    return labels;
  }

  /** Returns whether another directory has the same ID, or may have it but cannot be read. */
  private static boolean mayBeAnothers(Path other, Path file) {
    if (Files.notExists(other)) {
      return false;
    }
    try {
      return !Files.isSameFile(other, file)
          && Files.readString(other).equals(Files.readString(file));
    } catch (IOException e) {
      LOG.warn("failed to read {}", other, e);
      return true;
    }
  }

  private static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  Map<String, String> own() {
    return Map.of(SERVER, server, LAYOUT, THIS_LAYOUT);
  }

  Map<String, String> of(TaskId task) {
    return Map.of(
        SERVER, server, LAYOUT, THIS_LAYOUT, TASK, task.toString(), JOB, task.job().toString());
  }

  Map<String, String> keeper() {
    return Map.of(SERVER, server, LAYOUT, THIS_LAYOUT, KEEPER, "1");
  }

  /** Returns a unique name, because several may exist at a time. */
  String keeperName() {
    return "trainyard-" + server + "-keeper-" + random();
  }

  /**
   * Returns the container name, which may not contain a tilde in Docker. Names are unique across
   * tasks and servers, because after a restore to another directory two servers know the same
   * tasks.
   */
  String containerName(TaskId task) {
    return "trainyard-" + server + "-" + task.toString().replace("_", "__").replace("~", "_t");
  }

  String networkName(AddressRange range) {
    return "trainyard-" + server + "-" + range.address(0);
  }
}
