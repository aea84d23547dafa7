package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.InodeFallback;
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

  static Sandbox select(
      Path data, ProcessEngineConfig config, HostTools tools, SupervisorLauncher supervisorLauncher)
      throws IOException {
    if (isHostRoot()) {
      try {
        return RootSandbox.open(data, tools, supervisorLauncher, HostTools.perl());
      } catch (IOException e) {
        throw new IOException(
            e.getMessage()
                + ". A server that runs as root needs Linux 5.19 or newer and a root file system"
                + " that allows ID-mapped mounts and overlays (ext4, xfs, btrfs). Alternatively,"
                + " run the server as another user.",
            e);
      }
    }
    try {
      UserHostViews hostViews = UserHostViews.of(data, config.secrets(), tools);
      return UserSandbox.open(data, hostViews, tools, supervisorLauncher);
    } catch (IOException e) {
      if (InodeFallback.isFull(e, data.resolve(EngineEnvironment.TRASH))) {
        throw e; // the host supports the sandbox, so tasks must not run without it
      }
      String remedy = NamespaceRemedy.find(Path.of("/proc/sys"));
      LOG.warn(
          "this host does not support a sandbox for an ordinary user ({}): tasks run as plain"
              + " processes of this account, for {}. Remedy: {}",
          e.getMessage(),
          config.unsandboxedForAll() ? "all users" : "administrators only",
          remedy);
      Message refusal =
          Message.of("error.no-sandbox", "problem", e.getMessage()).with("remedy", remedy);
      return new PlainSandbox(
          tools,
          supervisorLauncher,
          SharedMemorySecrets.of(data),
          user -> config.unsandboxedForAll() || config.administrators().test(user),
          refusal,
          Message.of("notice.missing-sandbox", "problem", e.getMessage()).with("remedy", remedy));
    }
  }

  /**
   * Returns whether the account is the root user of the host. The root user of a container, which
   * may be an ordinary user of the host, does not count.
   */
  static boolean isHostRoot() throws IOException {
    int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    String map = Files.readString(Path.of("/proc/self/uid_map")).strip();
    return user == 0 && map.matches("0\\s+0\\s+4294967295");
  }
}
