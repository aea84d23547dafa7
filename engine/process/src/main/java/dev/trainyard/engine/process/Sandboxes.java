package dev.trainyard.engine.process;

import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Selects the sandbox that this host supports for the server's account. */
final class Sandboxes {
  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

  private Sandboxes() {}

  static Sandbox choose(
      Path data, ProcessEngineConfig config, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    if (isRootOfTheMachine()) {
      try {
        return RootSandbox.open(data, tools, supervisorLauncher, HostTools.perl());
      } catch (IOException e) {
        throw new IOException(
            e.getMessage()
                + ". Run as root, it needs Linux 5.19 or newer and a root file system that allows"
                + " id-mapped mounts and overlays (ext4, xfs, btrfs); or run it as another user.",
            e);
      }
    }
    try {
      UserHostViews machines = UserHostViews.of(data, config.secrets(), tools);
      return UserSandbox.open(data, machines, tools, supervisorLauncher);
    } catch (IOException e) {
      String remedy = NamespaceRemedy.find(Path.of("/proc/sys"));
      LOG.warn(
          "this host does not support a sandbox for an ordinary user ({}): tasks run as plain"
              + " processes of this account, for {}. Remedy: {}",
          e.getMessage(),
          config.plainForAll() ? "all users" : "administrators only",
          remedy);
      Message refusal =
          Message.of("error.no-sandbox", "problem", e.getMessage()).with("remedy", remedy);
      return new PlainSandbox(
          tools,
          supervisorLauncher,
          SharedMemory.of(data),
          user -> config.plainForAll() || config.administrators().test(user),
          refusal);
    }
  }

  /**
   * Returns whether the account is root of the host, not of a container, whose root is an ordinary
   * user outside.
   */
  static boolean isRootOfTheMachine() throws IOException {
    int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    String map = Files.readString(Path.of("/proc/self/uid_map")).strip();
    return user == 0 && map.matches("0\\s+0\\s+4294967295");
  }
}
