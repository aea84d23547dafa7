package dev.trainyard.server.image;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * OpenPAI's file of a login for a registry: its host, the user and the password, a line each. It
 * lies in the home of the job's owner, who chooses its name and everything on the way to it: it is
 * opened only beneath the home, and only if it is a plain file.
 */
final class AuthFile {
  private static final int LONGEST = 4096;
  private static final List<String> HOMES = List.of("/userhome/", "$HOME/", "${HOME}/", "~/");

  private AuthFile() {}

  /** What it says. Never prints its password. */
  record Content(String registry, String user, String password) {
    @Override
    public String toString() {
      return user + "@" + registry;
    }
  }

  /** Whether it is in a file system that jobs here don't have. */
  static boolean isRemote(String name) {
    return name.contains("://");
  }

  /**
   * @param home of the owner
   * @throws IOException that says what is wrong with it, and nothing of what is in it
   */
  static Content read(Path home, String name) throws IOException {
    String below = name.strip();
    for (String prefix : HOMES) {
      if (below.startsWith(prefix)) {
        below = below.substring(prefix.length());
        break;
      }
    }
    if (below.startsWith("/")) {
      throw new IOException("it is not below /userhome");
    }
    List<String> lines = text(home, below).lines().map(String::strip).toList();
    if (lines.size() < 3 || lines.subList(0, 3).stream().anyMatch(String::isEmpty)) {
      throw new IOException("it has no three lines: registry, user, password");
    }
    return new Content(lines.get(0), lines.get(1), lines.get(2));
  }

  private static String text(Path home, String below) throws IOException {
    int root = -1;
    int file = -1;
    try {
      root = Linux.open(home.toString(), Linux.O_PATH | Linux.O_DIRECTORY);
      // By its path only: opening a pipe to read it would wait for ever.
      file = Linux.openInRoot(root, below, Linux.O_PATH);
      Path opened = Path.of("/proc/self/fd/" + file);
      if (file < 0) {
        throw new IOException("there is no such file");
      }
      if (!Files.isRegularFile(opened)) {
        throw new IOException("it is no plain file");
      }
      try (InputStream in = Files.newInputStream(opened)) {
        byte[] bytes = in.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
          throw new IOException("it is too long");
        }
        return new String(bytes, StandardCharsets.UTF_8);
      }
    } catch (LinuxException e) {
      throw new IOException("it can't be opened: " + e.getMessage(), e);
    } finally {
      Linux.close(file);
      Linux.close(root);
    }
  }
}
