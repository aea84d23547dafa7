package dev.trainyard.scheduler;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Factory methods for the nodes and jobs of the tests. */
final class Cluster {
  private static final Isolation NONE =
      new Isolation(
          Isolation.Level.NONE, Isolation.Level.NONE, Isolation.Level.NONE, Isolation.Level.NONE);

  private Cluster() {}

  static Node node(String name, int cpus, long memoryMegabytes, List<Device> devices) {
    return new Node(name, cpus, DataSize.ofMegabytes(memoryMegabytes), devices, Map.of(), NONE);
  }

  static List<Device> devices(DeviceVendor vendor, int count, String model) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(new Device(vendor, i, model, DataSize.ofMegabytes(16_384), List.of()));
    }
    return devices;
  }

  static List<Device> gpus(int count) {
    return devices(DeviceVendor.NVIDIA, count, "a100");
  }

  static JobId id(int number) {
    return new JobId(String.format(Locale.ROOT, "%026d", number));
  }

  static TaskResources resources(int cpus, long memoryMegabytes, int devices, String type) {
    return new TaskResources(
        cpus, DataSize.ofMegabytes(memoryMegabytes), DataSize.ofMegabytes(64), devices, type);
  }

  static QueuedJob job(int number, Demand... roles) {
    return new QueuedJob(id(number), "alice", "default", List.of(roles));
  }

  static QueuedJob job(int number, int cpus, long memoryMegabytes, int devices) {
    return job(number, new Demand("main", 1, resources(cpus, memoryMegabytes, devices, "")));
  }
}
