package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Spawn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tests whether this host allows an ordinary user to create the root of a task. It does so by
 * creating one, because the documentation of kernels and distributions is not reliable in this
 * respect.
 */
final class UserProbe {
  private static final int PATIENCE_SECONDS = 30;
  private static final int DEVICE_BYTES = 1 << 16;

  private UserProbe() {}

  /** Returns the host directories on which no layer can be mounted. */
  static Set<Path> refusedLayers(Path data, UserHostView machine, HostTools tools)
      throws IOException {
    Path place = Files.createTempDirectory(data.resolve("trash"), "layers");
    try {
      UserRoot root = machine.root(place);
      for (HostView.Part part : machine.view().parts()) {
        if (part instanceof HostView.Layered layered) {
          String name = layered.path().getFileName().toString();
          Fstab alone = new Fstab(machine.mounts());
          root.mount(layered, alone);
          Files.writeString(place.resolve("table." + name), alone.text());
        }
      }
      String script =
          "for t in table.*; do \"$0\" --no-mtab --internal-only --all --fstab $t >&2"
              + " || echo ${t#table.}; done";
      String refused =
          run(
              place,
              List.of(
                  tools.path("unshare"),
                  "--user",
                  "--map-root-user",
                  "--mount",
                  tools.path("sh"),
                  "-c",
                  script,
                  tools.path("mount")));
      return refused.lines().map(name -> Path.of("/", name)).collect(Collectors.toSet());
    } finally {
      Trash.deleteTree(place);
    }
  }

  /**
   * Creates the root of a task and enters it.
   *
   * @throws IOException if that fails or a mount is missing
   */
  static void tryOut(Path data, UserHostView machine, List<String> command) throws IOException {
    Path place = Files.createTempDirectory(data.resolve("trash"), "probe");
    try {
      Path platform = place.resolve("platform");
      Path scripts = Files.createDirectories(platform.resolve("runtime.d"));
      Files.writeString(scripts.resolve("launch.sh"), "cat /proc/self/mountinfo\n");
      Fstab table =
          machine
              .root(place)
              .steps(
                  List.of(
                      new MountStep.SystemView("/sys"),
                      new MountStep.Memory("/dev", DEVICE_BYTES, 0755),
                      new MountStep.DeviceNode(Path.of("/dev/null"), "/dev/null"),
                      new MountStep.PlatformFiles(platform, RootPlan.PLATFORM_DIRECTORY)))
              .table();
      Files.writeString(place.resolve("table"), table.text());
      MountTable seen = MountTable.parse(run(place, command).lines().toList());
      Set<Path> missing = new HashSet<>();
      for (String target : table.targets()) {
        missing.add(Path.of("/" + target.substring(UserRoot.ROOT.length())));
      }
      seen.mounts().forEach(mount -> missing.remove(mount.place()));
      if (!missing.isEmpty()) {
        throw new IOException("failed to mount: " + missing);
      }
    } finally {
      Trash.deleteTree(place);
    }
  }

  private static String run(Path directory, List<String> command) throws IOException {
    Path errors = directory.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", Spawn.TOOL_PATH, "LC_ALL", "C"));
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        String why = Files.readString(errors).strip();
        throw new IOException(why.isEmpty() ? command.getFirst() + " failed" : why);
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
