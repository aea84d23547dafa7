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
 * Tests whether this host allows an ordinary user to create the root of a task. The test creates
 * such a root, because the documentation of kernels and distributions is not reliable about this.
 */
final class UserProbe {
  private static final int TIMEOUT_SECONDS = 30;
  private static final int DEVICE_DIRECTORY_BYTES = 1 << 16;

  private UserProbe() {}

  /** Returns the host directories on which no overlay can be mounted. */
  static Set<Path> findRefusedOverlays(Path data, UserHostView hostView, HostTools tools)
      throws IOException {
    Path probeDirectory = Files.createTempDirectory(data.resolve("trash"), "layers");
    try {
      UserRoot root = hostView.createRoot(probeDirectory);
      for (HostView.Part part : hostView.view().parts()) {
        if (part instanceof HostView.OverlayDirectory overlayDirectory) {
          String name = overlayDirectory.path().getFileName().toString();
          Fstab singleMountTable = new Fstab(hostView.mounts());
          root.addOverlayMount(overlayDirectory, singleMountTable);
          Files.writeString(probeDirectory.resolve("table." + name), singleMountTable.text());
        }
      }
      String script =
          "for t in table.*; do \"$0\" --no-mtab --internal-only --all --fstab $t >&2"
              + " || echo ${t#table.}; done";
      String refusedNames =
          run(
              probeDirectory,
              List.of(
                  tools.path("unshare"),
                  "--user",
                  "--map-root-user",
                  "--mount",
                  tools.path("sh"),
                  "-c",
                  script,
                  tools.path("mount")));
      return refusedNames.lines().map(name -> Path.of("/", name)).collect(Collectors.toSet());
    } finally {
      Trash.deleteTree(probeDirectory);
    }
  }

  /**
   * Creates the root of a task and enters it.
   *
   * @throws IOException if the root cannot be created or entered, or a mount is missing in it
   */
  static void probeRoot(Path data, UserHostView hostView, List<String> command) throws IOException {
    Path probeDirectory = Files.createTempDirectory(data.resolve("trash"), "probe");
    try {
      Path platform = probeDirectory.resolve("platform");
      Path scripts = Files.createDirectories(platform.resolve("runtime.d"));
      Files.writeString(scripts.resolve("launch.sh"), "cat /proc/self/mountinfo\n");
      Fstab table =
          hostView
              .createRoot(probeDirectory)
              .addSteps(
                  List.of(
                      new MountStep.SystemView("/sys"),
                      new MountStep.Tmpfs("/dev", DEVICE_DIRECTORY_BYTES, 0755),
                      new MountStep.DeviceNode(Path.of("/dev/null"), "/dev/null"),
                      new MountStep.PlatformFiles(platform, TaskRootPlan.PLATFORM_DIRECTORY)))
              .table();
      Files.writeString(probeDirectory.resolve("table"), table.text());
      MountTable actualMounts = MountTable.parse(run(probeDirectory, command).lines().toList());
      Set<Path> missingMounts = new HashSet<>();
      for (String target : table.targets()) {
        missingMounts.add(Path.of("/" + target.substring(UserRoot.ROOT.length())));
      }
      actualMounts.mounts().forEach(mount -> missingMounts.remove(mount.mountPoint()));
      if (!missingMounts.isEmpty()) {
        throw new IOException("failed to mount: " + missingMounts);
      }
    } finally {
      Trash.deleteTree(probeDirectory);
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
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        String errorOutput = Files.readString(errors).strip();
        throw new IOException(errorOutput.isEmpty() ? command.getFirst() + " failed" : errorOutput);
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
