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
 * An account of the host, with which a test runs the server and its commands.
 *
 * @param prefix program and arguments to put before every command, which switch to the account
 * @param jar path at which the account can read the jar
 */
record Account(List<String> prefix, Path jar) {
  /** A user ID that no account uses and that has no name. */
  private static final int ORDINARY = 54_321;

  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  /** Returns the account that runs the tests. */
  static Account current() {
    return new Account(List.of(), Trainyard.JAR);
  }

  /**
   * Returns an account that is not root, even if root runs the tests.
   *
   * @param directory a temporary directory, which is given to the account
   */
  static Account ordinary(Path directory) throws IOException {
    return ordinary(directory, "--clear-groups");
  }

  /**
   * Like {@link #ordinary}, but the account is in the group docker. If the tests do not run as
   * root, the account that runs them must be in this group.
   */
  static Account inDockerGroup(Path directory) throws IOException {
    return ordinary(directory, "--groups=docker");
  }

  private static Account ordinary(Path directory, String groups) throws IOException {
    if (!ROOT) {
      return current();
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
    account.takeOwnership(directory);
    return account;
  }

  /**
   * Returns the same account, but its processes cannot create user namespaces. They run in a user
   * namespace in which the maximum number of user namespaces is 0, so the settings of the host do
   * not change.
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

  /** Makes the account the owner of a directory and its content. */
  void takeOwnership(Path directory) throws IOException {
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
