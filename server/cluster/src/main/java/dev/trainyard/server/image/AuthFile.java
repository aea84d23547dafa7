package dev.trainyard.server.image;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * OpenPAI's file with a registry login: host, user name and password, one per line. The file is in
 * the home directory of the job's owner, who controls the file name and every directory in the
 * path. The file is therefore opened only beneath the home directory, and only if it is a regular
 * file.
 */
final class AuthFile {
  private static final int MAX_LENGTH = 4096;
  private static final List<String> HOME_PREFIXES =
      List.of("/userhome/", "$HOME/", "${HOME}/", "~/");

  private AuthFile() {}

  /**
   * Content of the file. The string representation of this record does not contain the password.
   */
  record Content(String registry, String user, String password) {
    @Override
    public String toString() {
      return user + "@" + registry;
    }
  }

  /**
   * Returns whether the name refers to a remote file system, which this platform does not support.
   */
  static boolean isRemote(String name) {
    return name.contains("://");
  }

  /**
   * @param home home directory of the owner
   * @throws IOException if the file cannot be read or is invalid; the message does not reveal the
   *     content of the file
   */
  static Content read(Path home, String name) throws IOException {
    String relativePath = name.strip();
    for (String prefix : HOME_PREFIXES) {
      if (relativePath.startsWith(prefix)) {
        relativePath = relativePath.substring(prefix.length());
        break;
      }
    }
    if (relativePath.startsWith("/")) {
      throw new IOException("the path is not below /userhome");
    }
    List<String> lines = readText(home, relativePath).lines().map(String::strip).toList();
    if (lines.size() < 3 || lines.subList(0, 3).stream().anyMatch(String::isEmpty)) {
      throw new IOException("the file must have three lines: registry, user, password");
    }
    return new Content(lines.get(0), lines.get(1), lines.get(2));
  }

  private static String readText(Path home, String relativePath) throws IOException {
    try (FileHandle file =
        FileHandle.find(home, relativePath).orElseThrow(() -> new IOException("file not found"))) {
      if (file.attributes().kind() != FileHandle.Kind.FILE) {
        throw new IOException("not a regular file");
      }
      try (InputStream in = Channels.newInputStream(TaskWrittenFile.openForReading(file.path()))) {
        byte[] bytes = in.readNBytes(MAX_LENGTH + 1);
        if (bytes.length > MAX_LENGTH) {
          throw new IOException("the file is too long");
        }
        return new String(bytes, StandardCharsets.UTF_8);
      }
    } catch (LinuxException e) {
      throw new IOException("failed to open the file: " + e.getMessage(), e);
    }
  }
}
