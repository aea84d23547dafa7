package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Determines the IDs of images' users by the rules of Docker. Thread-safe. */
final class ImageUsers {
  private static final int TAR_BLOCK = 512;
  private static final int SIZE_OFFSET = 124;
  private static final int SIZE_DIGITS = 11;
  private static final int MOST_BYTES = 1 << 20;

  private final DockerClient docker;
  private final Map<String, ImageUser> known = new ConcurrentHashMap<>();

  ImageUsers(DockerClient docker) {
    this.docker = docker;
  }

  /**
   * @param container created from the image and not started
   */
  ImageUser of(LocalImage image, String container) throws IOException {
    if (image.user().isEmpty() || image.user().matches("0|root")) {
      return ImageUser.ROOT;
    }
    ImageUser found = known.get(image.id());
    if (found == null) {
      found = find(image.user(), file(container, "/etc/passwd"), file(container, "/etc/group"));
      known.put(image.id(), found);
    }
    return found;
  }

  /** Treats IDs of ten digits as root's; such a task merely cannot write to its home directory. */
  static ImageUser find(String text, String passwd, String group) {
    String[] parts = text.split(":", 2);
    Optional<String[]> account = entry(passwd, parts[0], 4);
    int user = number(account.map(words -> words[2]).orElse(parts[0]));
    int primary = account.map(words -> number(words[3])).orElse(0);
    if (parts.length == 2 && !parts[1].isEmpty()) {
      primary = number(entry(group, parts[1], 3).map(words -> words[2]).orElse(parts[1]));
    }
    return new ImageUser(user, primary);
  }

  /** Returns the entry of the file with this name, or else with this number. */
  private static Optional<String[]> entry(String file, String key, int fields) {
    List<String[]> all =
        file.lines()
            .map(line -> line.split(":", -1))
            .filter(words -> words.length >= fields)
            .toList();
    return all.stream()
        .filter(words -> words[0].equals(key))
        .findFirst()
        .or(() -> all.stream().filter(words -> words[2].equals(key)).findFirst());
  }

  private static int number(String text) {
    // The ranges of platform users are beyond nine digits.
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  /** Returns the only file of the archive that Docker sends; empty if it does not exist. */
  private String file(String container, String path) throws IOException {
    try (InputStream archive = docker.copyArchiveFromContainerCmd(container, path).exec()) {
      byte[] head = archive.readNBytes(TAR_BLOCK);
      if (head.length < TAR_BLOCK) {
        return "";
      }
      String size = new String(head, SIZE_OFFSET, SIZE_DIGITS, StandardCharsets.US_ASCII);
      if (!size.matches("[0-7]{11}")) {
        return "";
      }
      int bytes = (int) Math.min(MOST_BYTES, Long.parseLong(size, 8));
      return new String(archive.readNBytes(bytes), StandardCharsets.UTF_8);
    } catch (NotFoundException e) {
      return "";
    }
  }
}
