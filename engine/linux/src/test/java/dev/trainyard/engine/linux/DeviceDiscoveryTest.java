package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceDiscoveryTest {
  @TempDir Path directory;
  private Path tools;
  private Path proc;

  @BeforeEach
  void createDirectories() throws IOException {
    tools = Files.createDirectory(directory.resolve("tools"));
    proc = Files.createDirectory(directory.resolve("proc"));
  }

  @Test
  void find_noTools() {
    assertThat(find().devices()).isEmpty();
    assertThat(find().warnings()).isEmpty();
  }

  @Test
  void find_nvidia() throws IOException {
    installTool("nvidia-smi", "cat <<'END'\n" + resource("nvidia-smi-a100.txt") + "END\n");

    assertThat(find().devices())
        .containsExactly(
            device(DeviceVendor.NVIDIA, 0, "a100", 81920, "/dev/nvidia0"),
            device(DeviceVendor.NVIDIA, 1, "a100", 81920, "/dev/nvidia1"));
  }

  @Test
  void find_severalNvidiaModels() throws IOException {
    installTool("nvidia-smi", "cat <<'END'\n" + resource("nvidia-smi-mixed.txt") + "END\n");

    assertThat(find().devices())
        .extracting(Device::model)
        .containsExactly("gtx1080ti", "v100", "gb10");
    assertThat(find().devices().getLast().memory()).isEqualTo(DataSize.ZERO);
  }

  @Test
  void find_nvidiaFiles_haveMinorNumbersOfDriver() throws IOException {
    Path deviceDirectory = Files.createDirectories(proc.resolve("driver/nvidia/gpus/0000:2a:00.0"));
    Files.writeString(
        deviceDirectory.resolve("information"), "Model: \t A100\nDevice Minor: \t 5\n");
    installTool("nvidia-smi", "cat <<'END'\n" + resource("nvidia-smi-a100.txt") + "END\n");

    assertThat(find().devices())
        .extracting(device -> device.nodes().getFirst())
        .containsExactly("/dev/nvidia0", "/dev/nvidia5");
  }

  @Test
  void find_nvidiaWithoutCards() throws IOException {
    installTool("nvidia-smi", "echo No devices were found");

    assertThat(find().devices()).isEmpty();
  }

  @Test
  void find_ascendTwoChipsPerCard() throws IOException {
    installTool("npu-smi", "cat <<'END'\n" + resource("npu-smi-910-phy.txt") + "END\n");

    assertThat(find().devices())
        .containsExactly(
            device(DeviceVendor.ASCEND, 0, "ascend910", 65536, "/dev/davinci0"),
            device(DeviceVendor.ASCEND, 1, "ascend910", 65536, "/dev/davinci1"),
            device(DeviceVendor.ASCEND, 2, "ascend910", 65536, "/dev/davinci2"));
  }

  @Test
  void find_ascendWithoutChipNumbers() throws IOException {
    installTool("npu-smi", "cat <<'END'\n" + resource("npu-smi-910b.txt") + "END\n");

    assertThat(find().devices())
        .containsExactly(
            device(DeviceVendor.ASCEND, 0, "ascend910", 65536, "/dev/davinci0"),
            device(DeviceVendor.ASCEND, 3, "ascend910", 65536, "/dev/davinci3"));
  }

  @Test
  void find_amd() throws IOException {
    installTool("rocm-smi", "cat <<'END'\n" + resource("rocm-smi-mi100.json") + "END\n");

    assertThat(find().devices())
        .extracting(Device::model, Device::index, device -> device.memory().megabytes())
        .containsExactly(tuple("mi100", 0, 32752L), tuple("mi100", 1, 32752L));
  }

  @Test
  void find_amd_omitsProcessorGraphics() throws IOException {
    installTool("rocm-smi", "cat <<'END'\n" + resource("rocm-smi-radeon.json") + "END\n");

    assertThat(find().devices()).extracting(Device::model).containsExactly("rx7900xt");
  }

  @Test
  void find_brokenTools_areReportedAsWarnings() throws IOException {
    installTool("nvidia-smi", "echo NVIDIA-SMI has failed; exit 9");
    installTool("rocm-smi", "echo no json");
    installTool("npu-smi", "exec sleep 100");
    DeviceDiscovery.Result result = find(Duration.ofMillis(300));

    assertThat(result.devices()).isEmpty();
    assertThat(result.warnings()).hasSize(3);
    assertThat(result.warnings().getFirst()).contains("exit code 9").contains("has failed");
  }

  private DeviceDiscovery.Result find() {
    return find(Duration.ofSeconds(30));
  }

  private DeviceDiscovery.Result find(Duration timeout) {
    return new DeviceDiscovery("/nonexistent:" + tools, proc, timeout).find();
  }

  private void installTool(String name, String script) throws IOException {
    Path tool = tools.resolve(name);
    Files.writeString(tool, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String resource(String name) throws IOException {
    try (var in = DeviceDiscoveryTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Device device(
      DeviceVendor vendor, int index, String model, long megabytes, String node) {
    return new Device(vendor, index, model, DataSize.ofMegabytes(megabytes), List.of(node));
  }
}
