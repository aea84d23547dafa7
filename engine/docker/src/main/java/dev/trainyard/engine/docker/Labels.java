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
 * Marks on all that is ours in the engine. Several servers may share one: each looks only at what
 * bears the number of its own data directory.
 *
 * @param server that number
 */
record Labels(String server) {
  private static final Logger LOG = LoggerFactory.getLogger(Labels.class);

  static final String SERVER = "dev.trainyard.server";
  static final String TASK = "dev.trainyard.task";
  static final String JOB = "dev.trainyard.job";

  /** On the container of this server's keeper. */
  static final String KEEPER = "dev.trainyard.keeper";

  /** Of how things are made; a later version may have to treat older ones otherwise. */
  static final String LAYOUT = "dev.trainyard.layout";

  private static final String THIS_LAYOUT = "1";
  private static final int BYTES = 6;

  /** The number of a data directory; made on first use and kept in this file. */
  static Labels of(Path file) throws IOException {
    try {
      String known = Files.readString(file).strip();
      if (!known.matches("[0-9a-f]{12}")) {
        throw new IOException(file + " has been changed by somebody");
      }
      return new Labels(known);
    } catch (NoSuchFileException e) {
      AtomicFile.write(file, file.resolveSibling("id.draft"), random() + "\n");
      return of(file);
    }
  }

  /**
   * The number of the data directory around this place, for the one server that works in it. A
   * directory that somebody has copied gets a number of its own as long as the first is there:
   * otherwise two servers would take each other's containers for their own.
   *
   * @param place by its real path
   */
  static Labels claim(Path place) throws IOException {
    Path file = place.resolve("id");
    Path mark = place.resolve("id.place");
    if (Files.exists(file) && Files.exists(mark)) {
      Path first = Path.of(Files.readString(mark).strip());
      if (!first.equals(place) && mayBeAnothers(first.resolve("id"), file)) {
        LOG.warn(
            "{} may be a copy of {}: it gets a number of its own, and containers of before are left"
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

  /** Whether another directory has the same number, or may have it and does not let us look. */
  private static boolean mayBeAnothers(Path other, Path file) {
    if (Files.notExists(other)) {
      return false;
    }
    try {
      return !Files.isSameFile(other, file)
          && Files.readString(other).equals(Files.readString(file));
    } catch (IOException e) {
      LOG.warn("{} can't be looked at", other, e);
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

  /** There may be several at a time. */
  String keeperName() {
    return "trainyard-" + server + "-keeper-" + random();
  }

  /**
   * Docker takes no tilde in a name; no two tasks get the same one, and not two servers either:
   * after a restore to another directory both know the same tasks.
   */
  String containerName(TaskId task) {
    return "trainyard-" + server + "-" + task.toString().replace("_", "__").replace("~", "_t");
  }

  String networkName(AddressRange range) {
    return "trainyard-" + server + "-" + range.address(0);
  }
}
