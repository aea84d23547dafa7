package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceVariablesTest {
  @Test
  void of_noDevices() {
    assertThat(DeviceVariables.of(List.of()))
        .containsEntry("CUDA_VISIBLE_DEVICES", "")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "none")
        .containsEntry("ASCEND_VISIBLE_DEVICES", "")
        .containsEntry("HIP_VISIBLE_DEVICES", "");
  }

  @Test
  void of_nvidiaUsesTheHostsNumbers() {
    assertThat(
            DeviceVariables.of(
                List.of(device(DeviceVendor.NVIDIA, 5), device(DeviceVendor.NVIDIA, 2))))
        .containsEntry("CUDA_VISIBLE_DEVICES", "2,5")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "2,5")
        .containsEntry("ASCEND_VISIBLE_DEVICES", "");
  }

  @Test
  void of_ascendAndAmd_useTheirVariables() {
    assertThat(
            DeviceVariables.of(
                List.of(device(DeviceVendor.ASCEND, 7), device(DeviceVendor.AMD, 1))))
        .containsEntry("ASCEND_VISIBLE_DEVICES", "7")
        .containsEntry("ROCR_VISIBLE_DEVICES", "1")
        .containsEntry("HIP_VISIBLE_DEVICES", "0")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "none");
  }

  private static Device device(DeviceVendor vendor, int index) {
    return new Device(vendor, index, "", DataSize.ZERO, List.of());
  }
}
