package dev.trainyard.engine.process;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Environment variables that select the devices for a task's libraries. With this engine a process
 * sees the devices under the host's numbers. A task without devices gets the variables too, because
 * libraries treat a missing variable as "all devices".
 */
final class DeviceVariables {
  private DeviceVariables() {}

  static Map<String, String> of(List<Device> devices) {
    Map<String, String> variables = new TreeMap<>();
    String nvidia = indices(devices, DeviceVendor.NVIDIA);
    variables.put("CUDA_VISIBLE_DEVICES", nvidia);
    variables.put("NVIDIA_VISIBLE_DEVICES", nvidia.isEmpty() ? "none" : nvidia);
    variables.put("ASCEND_VISIBLE_DEVICES", indices(devices, DeviceVendor.ASCEND));
    // HIP counts only the devices that ROCR exposes, so only ROCR may use the host's numbers.
    variables.put("ROCR_VISIBLE_DEVICES", indices(devices, DeviceVendor.AMD));
    variables.put("HIP_VISIBLE_DEVICES", consecutiveIndices(devices, DeviceVendor.AMD));
    return variables;
  }

  private static String consecutiveIndices(List<Device> devices, DeviceVendor vendor) {
    long count = devices.stream().filter(device -> device.vendor() == vendor).count();
    return LongStream.range(0, count).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  private static String indices(List<Device> devices, DeviceVendor vendor) {
    return devices.stream()
        .filter(device -> device.vendor() == vendor)
        .map(Device::index)
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(","));
  }
}
