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
 * How a container gets exactly its cards. Inside they are counted from 0; a task without cards is
 * told so, as libraries, and the vendor's runtime, take an absent variable for "all".
 */
final class DeviceGrant {
  /** What programs for Ascend cards need of the machine's driver, where it is installed. */
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
    variables.put("CUDA_VISIBLE_DEVICES", counted(devices, DeviceVendor.NVIDIA));
    variables.put("NVIDIA_VISIBLE_DEVICES", nvidia.isEmpty() ? "void" : nvidia);
    variables.put("ASCEND_VISIBLE_DEVICES", indices(devices, DeviceVendor.ASCEND));
    variables.put("ROCR_VISIBLE_DEVICES", counted(devices, DeviceVendor.AMD));
    variables.put("HIP_VISIBLE_DEVICES", counted(devices, DeviceVendor.AMD));
    return variables;
  }

  /**
   * Podman passes over requests for NVIDIA's cards without a word: a task would run without them.
   *
   * @throws EngineException if there are such among them
   */
  static void requireFilesOnly(List<Device> devices) {
    if (!indices(devices, DeviceVendor.NVIDIA).isEmpty()) {
      throw new EngineException(
          "Podman can't give containers NVIDIA cards through its socket: use Docker for them");
    }
  }

  /** NVIDIA's by the runtime that brings the driver along, the others by their device files. */
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
    Set<String> own = new LinkedHashSet<>();
    List<Device> others =
        devices.stream().filter(device -> device.vendor() != DeviceVendor.NVIDIA).toList();
    others.forEach(device -> own.addAll(device.nodes()));
    List<com.github.dockerjava.api.model.Device> nodes = new ArrayList<>();
    for (String file : DeviceFiles.of(others)) {
      if (own.contains(file) || Files.exists(Path.of(file))) {
        // Not m: a container that could make the node anew could also make others.
        nodes.add(new com.github.dockerjava.api.model.Device("rw", file, file));
      }
    }
    host.withDevices(nodes).withGroupAdd(groups(nodes));
  }

  /** Images with a user of their own are let in to the nodes as well. */
  private static List<String> groups(List<com.github.dockerjava.api.model.Device> nodes) {
    Set<String> groups = new LinkedHashSet<>();
    for (var node : nodes) {
      try {
        groups.add(Files.getAttribute(Path.of(node.getPathOnHost()), "unix:gid").toString());
      } catch (IOException e) {
        // there is none: the start says so
      }
    }
    groups.remove("0");
    return new ArrayList<>(groups);
  }

  /** The machine's driver, for cards whose images come without it. */
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

  private static String counted(List<Device> devices, DeviceVendor vendor) {
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
