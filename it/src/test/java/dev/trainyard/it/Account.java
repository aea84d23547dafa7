package dev.trainyard.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whose processes the server and its commands are.
 *
 * @param prefix what stands before every command
 * @param jar where that account can read it
 */
record Account(List<String> prefix, Path jar) {
  /** Nobody's on any machine, and named nowhere. */
  private static final int ORDINARY = 54_321;

  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  /** The one that runs the tests. */
  static Account same() {
    return new Account(List.of(), Trainyard.JAR);
  }

  /**
   * Not root, whoever runs the tests.
   *
   * @param directory a temporary one, which becomes the account's
   */
  static Account ordinary(Path directory) throws IOException {
    return ordinary(directory, "--clear-groups");
  }

  /** The same, as one who may use the Docker engine; who is not root here must be one. */
  static Account inDockerGroup(Path directory) throws IOException {
    return ordinary(directory, "--groups=docker");
  }

  private static Account ordinary(Path directory, String groups) throws IOException {
    if (!ROOT) {
      return same();
    }
    Path jar = directory.resolve("trainyard.jar");
    Files.copy(Trainyard.JAR, jar, StandardCopyOption.REPLACE_EXISTING);
    Account account =
        new Account(
            List.of(
                "setpriv",
                "--reuid=" + ORDINARY,
                "--regid=" + ORDINARY,
                groups,
                "env",
                "HOME=" + directory),
            jar);
    account.give(directory);
    return account;
  }

  /**
   * The same account where no user namespace can be made: in one of its own in which it has set
   * their number to 0, so that nothing of the machine changes.
   */
  Account withoutNamespaces() {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(
        List.of(
            "unshare",
            "--user",
            "--map-user=1000",
            "--map-group=1000",
            "--keep-caps",
            "sh",
            "-c",
            "echo 0 >/proc/sys/user/max_user_namespaces &&"
                + " exec setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all \"$@\"",
            "sh"));
    return new Account(List.copyOf(all), jar);
  }

  /** Hands over a directory with what is in it. */
  void give(Path directory) throws IOException {
    if (ROOT && !prefix.isEmpty()) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.toList()) {
          Files.setAttribute(path, "unix:uid", ORDINARY, LinkOption.NOFOLLOW_LINKS);
          Files.setAttribute(path, "unix:gid", ORDINARY, LinkOption.NOFOLLOW_LINKS);
        }
      }
    }
  }
}
