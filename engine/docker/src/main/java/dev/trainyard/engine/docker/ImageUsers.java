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
  private static final int MAX_BYTES = 1 << 20;

  private final DockerClient docker;
  private final Map<String, ImageUser> usersByImage = new ConcurrentHashMap<>();

  ImageUsers(DockerClient docker) {
    this.docker = docker;
  }

  /**
   * @param container ID of a container that was created from the image and not started
   */
  ImageUser of(LocalImage image, String container) throws IOException {
    if (image.user().isEmpty() || image.user().matches("0|root")) {
      return ImageUser.ROOT;
    }
    ImageUser user = usersByImage.get(image.id());
    if (user == null) {
      user =
          resolve(
              image.user(), readFile(container, "/etc/passwd"), readFile(container, "/etc/group"));
      usersByImage.put(image.id(), user);
    }
    return user;
  }

  /**
   * Returns the IDs for the user setting of an image. An ID with ten or more digits is treated as
   * the ID of root; the only effect is that such a task cannot write to its home directory.
   */
  static ImageUser resolve(String userSetting, String passwdFile, String groupFile) {
    String[] parts = userSetting.split(":", 2);
    Optional<String[]> account = findEntry(passwdFile, parts[0], 4);
    int userId = parseId(account.map(fields -> fields[2]).orElse(parts[0]));
    int groupId = account.map(fields -> parseId(fields[3])).orElse(0);
    if (parts.length == 2 && !parts[1].isEmpty()) {
      groupId =
          parseId(findEntry(groupFile, parts[1], 3).map(fields -> fields[2]).orElse(parts[1]));
    }
    return new ImageUser(userId, groupId);
  }

  /** Returns the entry with this name or, if there is none, the entry with this ID. */
  private static Optional<String[]> findEntry(String file, String key, int minFields) {
    List<String[]> entries =
        file.lines()
            .map(line -> line.split(":", -1))
            .filter(fields -> fields.length >= minFields)
            .toList();
    return entries.stream()
        .filter(fields -> fields[0].equals(key))
        .findFirst()
        .or(() -> entries.stream().filter(fields -> fields[2].equals(key)).findFirst());
  }

  private static int parseId(String text) {
    // The IDs of platform users have more than nine digits.
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  /** Returns the only file of the archive that Docker sends; empty if it does not exist. */
  private String readFile(String container, String path) throws IOException {
    try (InputStream archive = docker.copyArchiveFromContainerCmd(container, path).exec()) {
      byte[] header = archive.readNBytes(TAR_BLOCK);
      if (header.length < TAR_BLOCK) {
        return "";
      }
      String size = new String(header, SIZE_OFFSET, SIZE_DIGITS, StandardCharsets.US_ASCII);
      if (!size.matches("[0-7]{11}")) {
        return "";
      }
      int bytes = (int) Math.min(MAX_BYTES, Long.parseLong(size, 8));
      return new String(archive.readNBytes(bytes), StandardCharsets.UTF_8);
    } catch (NotFoundException e) {
      return "";
    }
  }
}
