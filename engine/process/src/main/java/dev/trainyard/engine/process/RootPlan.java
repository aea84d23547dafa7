package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.DeviceFiles;
import dev.trainyard.engine.linux.VolumeTarget;
import dev.trainyard.engine.process.MountStep.Bind;
import dev.trainyard.engine.process.MountStep.CopyOnWrite;
import dev.trainyard.engine.process.MountStep.DeviceNode;
import dev.trainyard.engine.process.MountStep.Link;
import dev.trainyard.engine.process.MountStep.Memory;
import dev.trainyard.engine.process.MountStep.PlatformFiles;
import dev.trainyard.engine.process.MountStep.SystemView;
import dev.trainyard.engine.process.MountStep.Terminals;
import dev.trainyard.engine.process.MountStep.Volumes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The steps that build a task's root: a pure function of the task and the host. */
final class RootPlan {
  static final String PLATFORM_DIRECTORY = "/usr/local/pai";

  /** In memory; present only if the task has secrets. */
  static final String SECRETS_DIRECTORY = PLATFORM_DIRECTORY + "/" + SecretFiles.DIRECTORY;

  private static final List<String> PLAIN_DEVICES =
      List.of("null", "zero", "full", "random", "urandom", "tty");
  private static final long DEVICE_DIRECTORY_BYTES = 1 << 20;

  private RootPlan() {}

  /**
   * @param fileSystems mount points of the host's file systems, including {@code /}
   * @param platformFiles mounted as {@link #PLATFORM_DIRECTORY}
   */
  static List<MountStep> of(TaskSpec task, List<Path> fileSystems, Path platformFiles) {
    List<MountStep> steps = new ArrayList<>(views(fileSystems));
    steps.add(new SystemView("/sys"));
    steps.addAll(devices(task));
    // Before the volumes, so that its mount point too is resolved in the host's own files only.
    steps.add(new PlatformFiles(platformFiles, PLATFORM_DIRECTORY));
    steps.add(new Volumes(task.volumes().stream().map(RootPlan::bind).toList()));
    return List.copyOf(steps);
  }

  /** Returns the steps for the host's files only, to probe whether the host supports them. */
  static List<MountStep> views(List<Path> fileSystems) {
    List<MountStep> steps = new ArrayList<>();
    for (Path path : fileSystems.stream().sorted().toList()) {
      steps.add(new CopyOnWrite(path, path.toString(), "layer" + steps.size()));
    }
    return steps;
  }

  private static Bind bind(Volume volume) {
    String target = VolumeTarget.check(volume.target());
    return new Bind(volume.source(), target, volume.access() == Volume.Access.READ_ONLY);
  }

  private static List<MountStep> devices(TaskSpec task) {
    List<MountStep> steps = new ArrayList<>();
    steps.add(new Memory("/dev", DEVICE_DIRECTORY_BYTES, 0755));
    for (String name : PLAIN_DEVICES) {
      steps.add(node("/dev/" + name));
    }
    steps.add(new Link("/dev/fd", "/proc/self/fd"));
    steps.add(new Link("/dev/stdin", "/proc/self/fd/0"));
    steps.add(new Link("/dev/stdout", "/proc/self/fd/1"));
    steps.add(new Link("/dev/stderr", "/proc/self/fd/2"));
    steps.add(new Terminals("/dev/pts"));
    steps.add(new Link("/dev/ptmx", "pts/ptmx"));
    steps.add(new Memory("/dev/shm", task.resources().sharedMemory().bytes(), 01777));
    for (String path : DeviceFiles.of(task.devices())) {
      steps.add(node(path));
    }
    return steps;
  }

  private static DeviceNode node(String path) {
    return new DeviceNode(Path.of(path), path);
  }
}
