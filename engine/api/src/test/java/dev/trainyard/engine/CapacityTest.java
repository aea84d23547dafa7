package dev.trainyard.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import org.junit.jupiter.api.Test;

class CapacityTest {
  @Test
  void parse_allResources() {
    Capacity capacity =
        Capacity.parse("cpu=16, memoryMB=65536,gpu:a100=2,gpu:v100=1,npu:ascend910=1");

    assertThat(capacity.cpus()).hasValue(16);
    assertThat(capacity.memory()).contains(DataSize.ofMegabytes(65536));
    assertThat(capacity.devices().orElseThrow())
        .extracting(device -> device.vendor() + " " + device.index() + " " + device.model())
        .containsExactly("NVIDIA 0 a100", "NVIDIA 1 a100", "NVIDIA 2 v100", "ASCEND 0 ascend910");
  }

  @Test
  void parse_undeclaredResources_areEmpty() {
    Capacity capacity = Capacity.parse("cpu=1");

    assertThat(capacity.memory()).isEmpty();
    assertThat(capacity.devices()).isEmpty();
  }

  @Test
  void parse_noDevices() {
    assertThat(Capacity.parse("gpu=0").devices().orElseThrow()).isEmpty();
  }

  @Test
  void parse_untypedDevice_fitsEveryRequest() {
    Device device = Capacity.parse("gpu=1").devices().orElseThrow().getFirst();

    assertThat(device.isOfType("a100")).isTrue();
    assertThat(device.nodes()).containsExactly("/dev/nvidia0");
  }

  @Test
  void parse_amd() {
    Device device = Capacity.parse("gpu:mi100=1").devices().orElseThrow().getFirst();

    assertThat(device.vendor()).isEqualTo(DeviceVendor.AMD);
  }

  @Test
  void parse_reportsEveryProblem() {
    AppException exception =
        catchThrowableOfType(
            AppException.class,
            () -> Capacity.parse("cpu=0,memoryMB=many,cpu=2,disk=7,gpu,gpu:a b=1,npu=99999999999"));

    assertThat(exception.problems())
        .extracting(problem -> problem.message().code())
        .containsExactly(
            "config.capacity-number",
            "config.capacity-number",
            "config.capacity-twice",
            "config.capacity-name",
            "config.capacity-form",
            "config.capacity-name",
            "config.capacity-number");
    assertThat(exception.problems())
        .allSatisfy(problem -> assertThat(problem.message().english()).doesNotContain("null"));
  }
}
