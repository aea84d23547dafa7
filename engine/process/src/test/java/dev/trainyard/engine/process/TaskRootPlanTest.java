package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.process.MountStep.Bind;
import dev.trainyard.engine.process.MountStep.CopyOnWrite;
import dev.trainyard.engine.process.MountStep.DeviceNode;
import dev.trainyard.engine.process.MountStep.PlatformFiles;
import dev.trainyard.engine.process.MountStep.Tmpfs;
import dev.trainyard.engine.process.MountStep.Volumes;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskRootPlanTest {
  private static final Path PLATFORM = Path.of("/data/tasks/t/platform");

  @Test
  void of_rootPrecedesOtherFileSystems() {
    assertThat(plan(List.of(), List.of()).subList(0, 3))
        .containsExactly(
            new CopyOnWrite(Path.of("/"), "/", "layer0"),
            new CopyOnWrite(Path.of("/opt"), "/opt", "layer1"),
            new CopyOnWrite(Path.of("/usr"), "/usr", "layer2"));
  }

  @Test
  void of_volumes_areLastAndTogether() {
    Path source = Path.of("/data/x");
    List<MountStep> steps =
        plan(
            List.of(
                new Volume(source, "//userhome/", Volume.Access.OWNED),
                new Volume(source, "/gdata/set", Volume.Access.READ_ONLY)),
            List.of());

    assertThat(steps.subList(steps.size() - 2, steps.size()))
        .containsExactly(
            new PlatformFiles(PLATFORM, "/usr/local/pai"),
            new Volumes(
                List.of(
                    new Bind(source, "/userhome", false), new Bind(source, "/gdata/set", true))));
  }

  @Test
  void of_withoutDevices_hasNoDeviceFilesOfVendors() {
    assertThat(nodes(plan(List.of(), List.of())))
        .containsExactly(
            "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty");
  }

  @Test
  void of_devices_includeTheCommonFilesOfTheirVendorOnce() {
    Device firstDevice =
        new Device(DeviceVendor.ASCEND, 0, "", DataSize.ZERO, List.of("/dev/davinci0"));
    Device thirdDevice =
        new Device(DeviceVendor.ASCEND, 2, "", DataSize.ZERO, List.of("/dev/davinci2"));

    assertThat(nodes(plan(List.of(), List.of(firstDevice, thirdDevice))))
        .contains("/dev/davinci0", "/dev/davinci2", "/dev/davinci_manager", "/dev/devmm_svm")
        .doesNotContain("/dev/davinci1", "/dev/nvidiactl", "/dev/kfd")
        .doesNotHaveDuplicates();
  }

  @Test
  void of_sharedMemoryOfTheRequestedSize() {
    assertThat(plan(List.of(), List.of())).contains(new Tmpfs("/dev/shm", 64 << 20, 01777));
  }

  private static List<String> nodes(List<MountStep> steps) {
    return steps.stream().filter(DeviceNode.class::isInstance).map(MountStep::target).toList();
  }

  private static List<MountStep> plan(List<Volume> volumes, List<Device> devices) {
    TaskSpec spec =
        new TaskSpec(
            new TaskId(new JobId("0".repeat(26)), 1, "main", 0),
            "alice",
            1,
            "main-0",
            "",
            "",
            Map.of(),
            "/",
            new TaskResources(1, DataSize.ofMegabytes(1), DataSize.ofMegabytes(64), 0, ""),
            List.of(),
            devices,
            volumes,
            Map.of(),
            Path.of("/logs"),
            DataSize.ofMegabytes(1));
    return TaskRootPlan.of(spec, List.of(Path.of("/usr"), Path.of("/"), Path.of("/opt")), PLATFORM);
  }
}
