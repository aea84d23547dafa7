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
import dev.trainyard.engine.process.MountStep.PlatformFiles;
import dev.trainyard.engine.process.MountStep.SystemView;
import dev.trainyard.engine.process.MountStep.Terminals;
import dev.trainyard.engine.process.MountStep.Tmpfs;
import dev.trainyard.engine.process.MountStep.Volumes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Computes the steps that build a task's root from the task's spec and the host's file systems. */
final class TaskRootPlan {
  static final String PLATFORM_DIRECTORY = "/usr/local/pai";

  /** Mount point of a tmpfs, which is mounted only if the task has secrets. */
  static final String SECRETS_DIRECTORY = PLATFORM_DIRECTORY + "/" + SecretFiles.DIRECTORY;

  private static final List<String> STANDARD_DEVICES =
      List.of("null", "zero", "full", "random", "urandom", "tty");
  private static final long DEVICE_DIRECTORY_BYTES = 1 << 20;

  private TaskRootPlan() {}

  /**
   * @param fileSystems mount points of the host's file systems, including {@code /}
   * @param platformFiles mounted as {@link #PLATFORM_DIRECTORY}
   */
  static List<MountStep> of(TaskSpec task, List<Path> fileSystems, Path platformFiles) {
    List<MountStep> steps = new ArrayList<>(hostFileSteps(fileSystems));
    steps.add(new SystemView("/sys"));
    steps.addAll(deviceSteps(task));
    // This step precedes the volumes, so that its mount point is resolved in the host's files only.
    steps.add(new PlatformFiles(platformFiles, PLATFORM_DIRECTORY));
    steps.add(new Volumes(task.volumes().stream().map(TaskRootPlan::bind).toList()));
    return List.copyOf(steps);
  }

  /** Returns only the steps for the host's files. */
  static List<MountStep> hostFileSteps(List<Path> fileSystems) {
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

  private static List<MountStep> deviceSteps(TaskSpec task) {
    List<MountStep> steps = new ArrayList<>();
    steps.add(new Tmpfs("/dev", DEVICE_DIRECTORY_BYTES, 0755));
    for (String name : STANDARD_DEVICES) {
      steps.add(deviceNode("/dev/" + name));
    }
    steps.add(new Link("/dev/fd", "/proc/self/fd"));
    steps.add(new Link("/dev/stdin", "/proc/self/fd/0"));
    steps.add(new Link("/dev/stdout", "/proc/self/fd/1"));
    steps.add(new Link("/dev/stderr", "/proc/self/fd/2"));
    steps.add(new Terminals("/dev/pts"));
    steps.add(new Link("/dev/ptmx", "pts/ptmx"));
    steps.add(new Tmpfs("/dev/shm", task.resources().sharedMemory().bytes(), 01777));
    for (String path : DeviceFiles.of(task.devices())) {
      steps.add(deviceNode(path));
    }
    return steps;
  }

  private static DeviceNode deviceNode(String path) {
    return new DeviceNode(Path.of(path), path);
  }
}
