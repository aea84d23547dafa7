package dev.trainyard.engine.process;

import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which sandbox this machine gives to the account that runs the server. */
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
          "this machine gives an ordinary user no sandbox ({}): tasks run as plain processes of"
              + " this account, {}. Remedy: {}",
          e.getMessage(),
          config.plainForAll() ? "everybody's" : "those of administrators only",
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

  /** Not that of a container, who is an ordinary user outside. */
  static boolean isRootOfTheMachine() throws IOException {
    int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    String map = Files.readString(Path.of("/proc/self/uid_map")).strip();
    return user == 0 && map.matches("0\\s+0\\s+4294967295");
  }
}
