package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ImageStore;
import dev.trainyard.engine.TaskRights;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.testkit.Requirement;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the properties of a container from outside and from inside. */
class ContainerTest {
  @TempDir Path data;
  private RealEngine engine;

  @BeforeEach
  void open() {
    engine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  @Test
  void image_ownUserWorkingDirectoryAndVolume_areUsed() throws IOException {
    Draft draft =
        engine.task(
            "pwd; id -u; id -g; echo $HOME $EARLY $PAI_WORK_DIR; echo x >/userhome/file;"
                + " stat -c %u:%g /userhome /userhome/file; [ -w /extra ]; exit 4");
    draft.image = TestImages.busybox();
    Path home = data.resolve("home");
    draft.volumes.add(new Volume(home, "/userhome", Volume.Access.OWNED));
    TaskEnd end = draft.run();

    assertThat(engine.log(draft.id, "stderr")).isEmpty();
    assertThat(engine.log(draft.id, "stdout"))
        .isEqualTo("/work\n1000\n1007\n/work early /work\n1000:1007\n1000:1007\n");
    assertThat(end.exitCode()).isEqualTo(4);
    int owner = RealEngine.owner(1);
    assertThat(Files.getAttribute(home, "unix:uid")).isEqualTo(owner);
    assertThat(Files.getAttribute(home.resolve("file"), "unix:uid")).isEqualTo(owner);
    assertThat(Files.getAttribute(home.resolve("file"), "unix:gid"))
        .isEqualTo(Files.getAttribute(home, "unix:gid"));
  }

  @Test
  void image_userBeyondARange_writesToHomeAndSharedVolume() throws IOException {
    Draft draft = engine.task("id -u; echo x >/userhome/file && echo y >/gshare/file");
    draft.image = TestImages.busybox("beyond", "USER 70000:900000000\n");
    draft.volumes.add(new Volume(data.resolve("home"), "/userhome", Volume.Access.OWNED));
    draft.volumes.add(new Volume(data.resolve("shared"), "/gshare", Volume.Access.SHARED));
    assertThat(draft.run().exitCode()).as(engine.log(draft.id, "stderr")).isZero();

    assertThat(engine.log(draft.id, "stdout")).isEqualTo("70000\n");
    assertThat(Files.getAttribute(data.resolve("home/file"), "unix:uid"))
        .isEqualTo(RealEngine.owner(1));
  }

  @Test
  void image_withoutAnyShell() {
    Draft draft = engine.task("true");
    draft.image = TestImages.empty();
    TaskEnd end = draft.run();

    assertThat(end.reason()).isEqualTo(ExitReason.START_REFUSED);
    assertThat(end.detail()).contains("no /bin/sh");
  }

  @Test
  void image_missing() {
    Draft draft = engine.task("true");
    draft.image = "no-such-image:1";
    assertThatThrownBy(draft::reserve)
        .isInstanceOf(EngineException.class)
        .hasMessage("the image no-such-image:1 is not on this node");
    assertThat(engine.engine.list()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../containers/json", "a//b", "-x", "", "a b", "a?b=c"})
  void image_invalidName(String name) {
    Draft draft = engine.task("true");
    draft.image = name;
    assertThatThrownBy(draft::reserve).hasMessage("'" + name + "' is not a valid image name");
  }

  @Test
  void network_removedExternallyWhileEmpty() {
    TestHost.await(() -> TestImages.networks(data).size() == 2);
    TestImages.networks(data)
        .forEach(id -> TestImages.connection().client().removeNetworkCmd(id).exec());

    assertThat(engine.task("exit 8").run().exitCode()).isEqualTo(8);
  }

  @Test
  void volumes_ownedByTheirUser() throws IOException {
    Path home = data.resolve("home");
    Path sharedDirectory = data.resolve("shared");
    Path readOnlyDirectory = Files.createDirectory(data.resolve("given"));
    Files.writeString(readOnlyDirectory.resolve("text"), "given\n");
    Draft draft =
        engine.task(
            "echo a >/userhome/a; mkdir /gshare/d; cat /gdata/text; chown 7:8 /userhome/a;"
                + " stat -c %u:%g /userhome /userhome/a /gshare/d; echo b >/gdata/b || exit 3");
    draft.volumes.add(new Volume(home, "/userhome", Volume.Access.OWNED));
    draft.volumes.add(new Volume(sharedDirectory, "/gshare", Volume.Access.SHARED));
    draft.volumes.add(new Volume(readOnlyDirectory, "/gdata", Volume.Access.READ_ONLY));
    TaskEnd end = draft.run();

    assertThat(engine.log(draft.id, "stdout")).isEqualTo("given\n0:0\n7:8\n0:0\n");
    assertThat(engine.log(draft.id, "stderr")).contains("Read-only file system");
    assertThat(end.exitCode()).isEqualTo(3);
    int base = IdRange.of(1).base();
    assertThat(Files.getAttribute(home.resolve("a"), "unix:uid")).isEqualTo(base + 7);
    assertThat(Files.getAttribute(home.resolve("a"), "unix:gid")).isEqualTo(base + 8);
    assertThat(Files.getAttribute(sharedDirectory.resolve("d"), "unix:uid")).isEqualTo(base);
    assertThat(readOnlyDirectory.resolve("b")).doesNotExist();
    engine.engine.remove(draft.id);
    assertThat(home.resolve("a")).exists();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(draft.id + "/");
  }

  @Test
  void volume_ofAnotherUser_inaccessible() throws IOException {
    Path sharedDirectory = data.resolve("shared");
    Draft writer = engine.task("echo mine >/gshare/file; chmod 600 /gshare/file");
    writer.volumes.add(new Volume(sharedDirectory, "/gshare", Volume.Access.SHARED));
    assertThat(writer.run().exitCode()).isZero();
    Draft reader = engine.task("cat /gshare/file || echo x >/gshare/file || rm /gshare/file");
    reader.idRange = 2;
    reader.volumes.add(new Volume(sharedDirectory, "/gshare", Volume.Access.SHARED));

    assertThat(reader.run().exitCode()).isNotZero();
    engine.engine.makeReadableByServer(sharedDirectory);
    assertThat(sharedDirectory.resolve("file")).hasContent("mine\n");
  }

  @Test
  void inspect_limitsAndRightsSet() {
    Draft draft = engine.task("true");
    draft.ports = List.of(29871);
    draft.reserve();
    HostConfig host = engine.inspect(draft.id).getHostConfig();

    assertThat(host.getMemory()).isEqualTo(256L << 20);
    assertThat(host.getMemorySwap()).isEqualTo(256L << 20);
    assertThat(host.getNanoCPUs()).isEqualTo(1_000_000_000L);
    assertThat(host.getPidsLimit()).isEqualTo(16_384);
    assertThat(host.getShmSize()).isEqualTo(64L << 20);
    assertThat(host.getPrivileged()).isFalse();
    assertThat(host.getCapAdd()).isNullOrEmpty();
    assertThat(host.getCapDrop()).containsExactly(Capability.MKNOD);
    assertThat(host.getPidMode()).isIn(null, "", "private");
    assertThat(host.getDevices()).isNullOrEmpty();
    assertThat(engine.inspect(draft.id).getNetworkSettings().getNetworks().keySet())
        .singleElement()
        .asString()
        .startsWith("trainyard-");
    assertThat(host.getPortBindings().getBindings().values())
        .allSatisfy(bindings -> assertThat(bindings[0].getHostIp()).isEqualTo("127.0.0.1"));
    assertThat(engine.inspect(draft.id).getConfig().getEnv())
        .contains("NVIDIA_VISIBLE_DEVICES=void")
        .as("an image committed from it would keep them")
        .noneMatch(line -> line.startsWith("CUDA_") || line.startsWith("EARLY"));
  }

  @Test
  void inspect_exactlyTheAssignedNvidiaDevices() {
    Draft nvidia = engine.task("true");
    nvidia.devices =
        List.of(
            new Device(DeviceVendor.NVIDIA, 3, "a100", DataSize.ZERO, List.of("/dev/nvidia3")),
            new Device(DeviceVendor.NVIDIA, 1, "a100", DataSize.ZERO, List.of("/dev/nvidia1")));
    if (TestImages.connection().isPodman()) {
      assertThatThrownBy(nvidia::reserve).hasMessageContaining("NVIDIA");
      return;
    }
    nvidia.reserve();
    var container = engine.inspect(nvidia.id);
    var requests = container.getHostConfig().getDeviceRequests();
    assertThat(requests).hasSize(1);
    assertThat(requests.getFirst().getDeviceIds()).containsExactly("1", "3");
    assertThat(container.getConfig().getEnv()).contains("NVIDIA_VISIBLE_DEVICES=1,3");
  }

  @Test
  void inspect_exactlyTheAssignedAscendDevices() {
    // Podman checks the files when a container is created.
    Requirement.require("docker", !TestImages.connection().isPodman(), "no such devices");
    Draft ascend = engine.task("true");
    ascend.devices =
        List.of(
            new Device(
                DeviceVendor.ASCEND, 2, "ascend910", DataSize.ZERO, List.of("/dev/davinci2")));
    ascend.reserve();
    var container = engine.inspect(ascend.id);
    assertThat(container.getHostConfig().getDevices())
        .extracting(device -> device.getPathOnHost())
        .contains("/dev/davinci2")
        .noneMatch(
            path ->
                path.startsWith("/dev/davinci")
                    && path.matches(".*[0-9]")
                    && !path.equals("/dev/davinci2"));
    assertThat(container.getConfig().getEnv()).contains("ASCEND_VISIBLE_DEVICES=2");
  }

  @Test
  void start_vendorRuntimeMissing_isRefused() {
    Draft draft = engine.task("true");
    draft.devices =
        List.of(new Device(DeviceVendor.ASCEND, 9, "", DataSize.ZERO, List.of("/dev/davinci9")));
    if (TestImages.connection().isPodman()) {
      assertThatThrownBy(draft::reserve).hasMessageContaining("/dev/davinci9").hasNoCause();
      return;
    }
    TaskEnd end = draft.run();

    assertThat(end.reason()).isEqualTo(ExitReason.START_REFUSED);
    assertThat(end.detail()).contains("/dev/davinci9");
  }

  @Test
  void end_outOfMemory_isReported() {
    Draft draft = engine.task("x=$(yes | head -c 200M); echo survived");
    draft.memory = DataSize.ofMegabytes(32);
    TaskEnd end = draft.run();
    assertThat(end.reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
    assertThat(end.exitCode()).isEqualTo(137);

    assertThat(engine.task("exit 137").run().reason()).isEqualTo(ExitReason.COMMAND_FAILED);
  }

  @Test
  void end_containerStoppedOrRemovedExternally_isSupervisorLost() {
    TaskId id = engine.task("echo ready; sleep 300").start();
    TestHost.await(() -> engine.log(id, "stdout").contains("ready"));
    TestImages.connection().client().stopContainerCmd(engine.name(id)).exec();
    assertThat(engine.awaitEnd(id).reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);

    TaskId removedTask = engine.task("echo ready; sleep 300").start();
    TestHost.await(() -> engine.log(removedTask, "stdout").contains("ready"));
    String name = engine.name(removedTask);
    TestImages.connection().client().removeContainerCmd(name).withForce(true).exec();
    assertThat(engine.awaitEnd(removedTask).reason()).isEqualTo(ExitReason.SUPERVISOR_LOST);
  }

  @Test
  void log_aboveLimit_keepsBeginningAndEnd() {
    Draft draft =
        engine.task(
            "printf '\\377\\000\\r|'; head -c 3000000 /dev/zero | tr '\\0' a; printf '\\nlast'");
    draft.logLimit = DataSize.ofMegabytes(1);
    draft.run();
    String log = engine.log(draft.id, "stdout");

    assertThat(log).startsWith("\u00FF\0\r|aaa").endsWith("a\nlast");
    assertThat(log).contains("\n[trainyard: limit of 1 MB reached; what follows is the end of");
    assertThat(log.length()).isBetween(2 << 20, (2 << 20) + 200);
  }

  @Test
  void start_afterRestartWithLostContainer() {
    Draft draft = engine.task("exit 6");
    String address = draft.reserve();
    TestImages.connection().client().removeContainerCmd(engine.name(draft.id)).exec();
    engine.reopen();

    engine.engine.start(draft.id, TaskStart.NONE);
    assertThat(engine.awaitEnd(draft.id).exitCode()).isEqualTo(6);
    assertThat(draft.reserve()).isEqualTo(address);
  }

  @Test
  void leftovers_ofUnknownTasks_areRemoved() throws IOException {
    Draft draft = engine.task("true");
    draft.volumes.add(new Volume(data.resolve("home"), "/userhome", Volume.Access.OWNED));
    draft.reserve();
    Files.delete(data.resolve("docker/tasks/" + draft.id + "/spec.json"));
    engine.reopen();

    assertThat(engine.engine.list()).isEmpty();
    assertThat(
            TestImages.connection()
                .client()
                .listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(Labels.TASK, draft.id.toString()))
                .exec())
        .isEmpty();
    assertThat(data.resolve("docker/mounts/" + draft.id)).doesNotExist();
    assertThat(data.resolve("home")).exists();
  }

  @Test
  void capabilities_matchTheTask() {
    String script = "mkdir /there && mount -t tmpfs none /there && echo x >/there/file";
    Draft plainDraft = engine.task(script);
    assertThat(plainDraft.run().exitCode()).isNotZero();
    assertThat(engine.inspect(plainDraft.id).getHostConfig().getCapAdd()).isNullOrEmpty();

    Draft grantedDraft = engine.task(script + "; mknod /disk b 254 0 && exit 9; exit 0");
    grantedDraft.rights =
        new TaskRights(
            List.of(
                dev.trainyard.model.Capability.SYS_ADMIN,
                dev.trainyard.model.Capability.DAC_READ_SEARCH));
    assertThat(grantedDraft.run().exitCode()).as(engine.log(grantedDraft.id, "stderr")).isZero();
    HostConfig host = engine.inspect(grantedDraft.id).getHostConfig();
    assertThat(host.getCapAdd())
        .containsExactlyInAnyOrder(Capability.SYS_ADMIN, Capability.DAC_READ_SEARCH);
    assertThat(host.getCapDrop()).containsExactly(Capability.MKNOD);
    assertThat(host.getPrivileged()).isFalse();
    assertThat(host.getSecurityOpts()).singleElement().asString().startsWith("seccomp=");
  }

  /** Docker validates a profile only when it starts a container. */
  @Test
  void systemCalls_filtered() {
    Draft draft =
        engine.task(
            "grep ^Seccomp: /proc/self/status; chroot / true && echo chroot;"
                + " unshare -U true || echo refused");
    draft.image = TestImages.busybox();

    assertThat(draft.run().exitCode()).as(engine.log(draft.id, "stderr")).isZero();
    assertThat(engine.log(draft.id, "stdout")).startsWith("Seccomp:\t2\n").endsWith("refused\n");
    assertThat(engine.inspect(draft.id).getHostConfig().getSecurityOpts())
        .singleElement()
        .asString()
        .startsWith("seccomp=");
    assertThat(engine.engine.nodes().getFirst().isolation().systemCalls())
        .isEqualTo(Isolation.Level.PRIVATE);
  }

  @Test
  void capabilities_appArmorIsDisabledOnlyForMounts() {
    HostConfig mountConfig = HostConfig.newHostConfig();
    TaskRights mountRights = new TaskRights(List.of(dev.trainyard.model.Capability.SYS_ADMIN));
    ContainerFilter noFilter = ContainerFilter.of(new Info(), Optional.empty());
    new RightsGrant(true, noFilter).add(mountConfig, mountRights);
    assertThat(mountConfig.getSecurityOpts()).containsExactly("apparmor=unconfined");
    HostConfig traceConfig = HostConfig.newHostConfig();
    TaskRights traceRights = new TaskRights(List.of(dev.trainyard.model.Capability.SYS_PTRACE));
    new RightsGrant(true, noFilter).add(traceConfig, traceRights);
    assertThat(traceConfig.getSecurityOpts()).isNull();
    assertThat(traceConfig.getCapAdd()).containsExactly(Capability.SYS_PTRACE);
  }

  @Test
  void buildImage_finishedTask_appliesChangedSettings() throws IOException {
    Path context = Files.createDirectory(data.resolve("context"));
    Path file = Files.writeString(context.resolve("file"), "x");
    int base = IdRange.of(1).base();
    for (Path path : List.of(context, file)) {
      Files.setAttribute(path, "unix:uid", base);
      Files.setAttribute(path, "unix:gid", base);
    }
    Draft draft =
        engine.task("id -u; stat -c %u /run/trainyard/context/file; echo made >/made; exit 0");
    draft.image = TestImages.busybox(); // The image's user is not root.
    draft.rights = new TaskRights(List.of(), true);
    draft.volumes.add(new Volume(context, "/run/trainyard/context", Volume.Access.READ_ONLY));
    assertThat(draft.run().exitCode()).isZero();
    assertThat(engine.log(draft.id, "stdout")).isEqualTo("0\n0\n");

    ImageReference name = ImageReference.of(TestImages.busybox() + "-built");
    ImageStore images = engine.engine.images().orElseThrow();
    ImageSettings settingsBefore = images.settings(TestImages.busybox());
    assertThat(settingsBefore.workingDirectory()).isEqualTo("/work");
    ImageSettings changedSettings =
        new ImageSettings(
            Map.of("A", "b=c"),
            "7:8",
            "/made-here",
            List.of("/bin/sh"),
            List.of("-c", "cat /made"),
            Map.of("l", "m"),
            List.of("80/tcp"),
            List.of("/data"),
            "SIGINT",
            List.of());
    try {
      images.build(draft.id, name, Map.of("by", "me"), _ -> changedSettings);
      ImageSettings settingsAfter = images.settings(name.toString());
      assertThat(settingsAfter.environment()).containsEntry("A", "b=c");
      assertThat(settingsAfter.user()).isEqualTo("7:8");
      assertThat(settingsAfter.workingDirectory()).isEqualTo("/made-here");
      assertThat(settingsAfter.entrypoint()).containsExactly("/bin/sh");
      assertThat(settingsAfter.command()).containsExactly("-c", "cat /made");
      assertThat(settingsAfter.labels()).containsEntry("l", "m").containsEntry("by", "me");
      assertThat(settingsAfter.ports()).containsExactly("80/tcp");
      assertThat(settingsAfter.volumes()).contains("/data");
    } finally {
      TestImages.connection().client().removeImageCmd(name.toString()).withForce(true).exec();
    }
  }
}
