package dev.trainyard.engine.linux;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Lists the device files that a task needs: the files of its devices, and the files that the
 * vendor's driver needs in addition.
 */
public final class DeviceFiles {
  private DeviceFiles() {}

  public static List<String> of(List<Device> devices) {
    Set<String> files = new LinkedHashSet<>();
    for (Device device : devices) {
      files.addAll(device.nodes());
      files.addAll(driverFiles(device.vendor()));
    }
    return new ArrayList<>(files);
  }

  private static List<String> driverFiles(DeviceVendor vendor) {
    return switch (vendor) {
      case NVIDIA ->
          List.of(
              "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset");
      case ASCEND -> List.of("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc");
      case AMD -> List.of("/dev/kfd");
    };
  }
}
