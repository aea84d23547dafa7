package dev.trainyard.engine.docker;

import com.github.dockerjava.api.model.DeviceRequest;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.DeviceFiles;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Gives a container access to exactly the devices of its task. Inside the container, devices are
 * numbered from 0. A task without devices gets the variables too, because libraries and the
 * vendor's runtime treat a missing variable as "all devices".
 */
final class DeviceGrant {
  /** Files of the host's driver that programs for Ascend devices need, if installed. */
  private static final List<String> ASCEND_DRIVER =
      List.of(
          "/usr/local/Ascend/driver",
          "/usr/local/Ascend/add-ons",
          "/usr/local/dcmi",
          "/usr/local/bin/npu-smi",
          "/usr/local/sbin/npu-smi",
          "/etc/ascend_install.info",
          "/var/log/npu/slog",
          "/etc/hccn.conf");

  private DeviceGrant() {}

  static Map<String, String> variables(List<Device> devices) {
    Map<String, String> variables = new TreeMap<>();
    String nvidia = indices(devices, DeviceVendor.NVIDIA);
    variables.put("CUDA_VISIBLE_DEVICES", consecutiveIndices(devices, DeviceVendor.NVIDIA));
    variables.put("NVIDIA_VISIBLE_DEVICES", nvidia.isEmpty() ? "void" : nvidia);
    variables.put("ASCEND_VISIBLE_DEVICES", indices(devices, DeviceVendor.ASCEND));
    variables.put("ROCR_VISIBLE_DEVICES", consecutiveIndices(devices, DeviceVendor.AMD));
    variables.put("HIP_VISIBLE_DEVICES", consecutiveIndices(devices, DeviceVendor.AMD));
    return variables;
  }

  /**
   * Rejects NVIDIA devices for Podman. Podman silently ignores requests for them, so a task would
   * run without its devices.
   *
   * @throws EngineException if one of the devices is from NVIDIA
   */
  static void rejectNvidia(List<Device> devices) {
    if (!indices(devices, DeviceVendor.NVIDIA).isEmpty()) {
      throw new EngineException(
          "Podman does not support NVIDIA devices through its socket: use Docker for them");
    }
  }

  /**
   * Adds the devices to a container: NVIDIA devices through the container runtime that provides the
   * driver, other devices by their device files.
   */
  static void add(HostConfig host, List<Device> devices) {
    List<String> nvidia =
        devices.stream()
            .filter(device -> device.vendor() == DeviceVendor.NVIDIA)
            .map(device -> Integer.toString(device.index()))
            .sorted()
            .toList();
    if (!nvidia.isEmpty()) {
      host.withDeviceRequests(
          List.of(
              new DeviceRequest().withDeviceIds(nvidia).withCapabilities(List.of(List.of("gpu")))));
    }
    Set<String> deviceFiles = new LinkedHashSet<>();
    List<Device> otherDevices =
        devices.stream().filter(device -> device.vendor() != DeviceVendor.NVIDIA).toList();
    otherDevices.forEach(device -> deviceFiles.addAll(device.nodes()));
    List<com.github.dockerjava.api.model.Device> dockerDevices = new ArrayList<>();
    for (String file : DeviceFiles.of(otherDevices)) {
      if (deviceFiles.contains(file) || Files.exists(Path.of(file))) {
        // The permission m (mknod) is not granted: a container that could create this device file
        // could also create others.
        dockerDevices.add(new com.github.dockerjava.api.model.Device("rw", file, file));
      }
    }
    host.withDevices(dockerDevices).withGroupAdd(groups(dockerDevices));
  }

  /**
   * Returns the groups of the device files, so that images with a non-root user can access them
   * too.
   */
  private static List<String> groups(List<com.github.dockerjava.api.model.Device> dockerDevices) {
    Set<String> groups = new LinkedHashSet<>();
    for (var node : dockerDevices) {
      try {
        groups.add(Files.getAttribute(Path.of(node.getPathOnHost()), "unix:gid").toString());
      } catch (IOException e) {
        // The file is missing; the start reports that.
      }
    }
    groups.remove("0");
    return new ArrayList<>(groups);
  }

  /** Returns mounts of the host's driver, for devices whose images do not include it. */
  static List<Mount> mounts(List<Device> devices) {
    if (devices.stream().noneMatch(device -> device.vendor() == DeviceVendor.ASCEND)) {
      return List.of();
    }
    return ASCEND_DRIVER.stream()
        .filter(path -> Files.exists(Path.of(path)))
        .map(
            path ->
                new Mount()
                    .withType(MountType.BIND)
                    .withSource(path)
                    .withTarget(path)
                    .withReadOnly(true))
        .toList();
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
