package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import dev.trainyard.model.Ulid;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.metric.MetricText;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {
  private static final Isolation.Level NONE = Isolation.Level.NONE;

  private static Node node(String name, int cpus, int megabytes, Device... devices) {
    return new Node(
        name,
        cpus,
        DataSize.ofMegabytes(megabytes),
        List.of(devices),
        Map.of(),
        new Isolation(NONE, NONE, NONE, NONE));
  }

  private static Device device(DeviceVendor vendor, int index, String model) {
    return new Device(vendor, index, model, DataSize.ZERO, List.of());
  }

  private static TaskPlacement task(String node, int cpus, int megabytes, Integer... devices) {
    TaskResources resources =
        new TaskResources(cpus, DataSize.ofMegabytes(megabytes), DataSize.ZERO, devices.length, "");
    return new TaskPlacement("main", 0, node, resources, List.of(devices));
  }

  @Test
  void write_tasksOfSeveralJobs_summedPerNodeAndDeviceType() {
    List<Node> nodes =
        List.of(
            node(
                "a",
                8,
                4,
                device(DeviceVendor.NVIDIA, 0, "T4"),
                device(DeviceVendor.NVIDIA, 1, "T4"),
                device(DeviceVendor.ASCEND, 2, "")),
            node("b", 2, 1));
    Ulid ids = new Ulid(InstantSource.system());
    JobId first = new JobId(ids.next());
    JobId second = new JobId(ids.next());
    MetricText text = new MetricText();
    NodeMetrics.write(
        text,
        nodes,
        Map.of(
            first, List.of(task("a", 1, 1, 1), task("a", 2, 1, 2)),
            second, List.of(task("a", 3, 0))));
    assertThat(text.toString().lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "trainyard_node_cpus{node=\"a\"} 8",
            "trainyard_node_cpus{node=\"b\"} 2",
            "trainyard_node_allocated_cpus{node=\"a\"} 6",
            "trainyard_node_allocated_cpus{node=\"b\"} 0",
            "trainyard_node_memory_bytes{node=\"a\"} 4194304",
            "trainyard_node_memory_bytes{node=\"b\"} 1048576",
            "trainyard_node_allocated_memory_bytes{node=\"a\"} 2097152",
            "trainyard_node_allocated_memory_bytes{node=\"b\"} 0",
            "trainyard_node_devices{node=\"a\",type=\"gpu:T4\"} 2",
            "trainyard_node_devices{node=\"a\",type=\"npu\"} 1",
            "trainyard_node_allocated_devices{node=\"a\",type=\"gpu:T4\"} 1",
            "trainyard_node_allocated_devices{node=\"a\",type=\"npu\"} 1");
  }
}
