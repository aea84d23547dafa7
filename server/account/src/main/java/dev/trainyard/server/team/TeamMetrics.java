package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.ResourceUsage;
import dev.trainyard.scheduler.UsageSnapshot;
import dev.trainyard.server.metric.MetricText;
import dev.trainyard.server.metric.Metrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Metrics of the usage and quotas of virtual clusters. */
public final class TeamMetrics implements Metrics.Source {
  private static final long MEGABYTE = 1 << 20;

  private final TeamService teams;
  private final Supplier<UsageSnapshot> usage;

  public TeamMetrics(TeamService teams, Supplier<UsageSnapshot> usage) {
    this.teams = teams;
    this.usage = usage;
  }

  @Override
  public void writeTo(MetricText text) {
    List<VirtualCluster> clusters = teams.virtualClusters();
    UsageSnapshot snapshot = usage.get();
    writeUsage(text, clusters, snapshot, "running_jobs", "Running jobs", ResourceUsage::jobs);
    writeUsage(text, clusters, snapshot, "used_cpus", "CPUs in use", ResourceUsage::cpus);
    writeUsage(
        text,
        clusters,
        snapshot,
        "used_memory_bytes",
        "Memory in use",
        use -> use.memory() * MEGABYTE);
    writeUsage(text, clusters, snapshot, "used_devices", "Devices in use", ResourceUsage::devices);
    writeQuota(text, clusters, "quota_cpus", "CPU quota", 1, Quota::cpus);
    writeQuota(text, clusters, "quota_memory_bytes", "Memory quota", MEGABYTE, Quota::memory);
    writeQuota(text, clusters, "quota_devices", "Device quota", 1, Quota::devices);
  }

  private static void writeUsage(
      MetricText text,
      List<VirtualCluster> clusters,
      UsageSnapshot snapshot,
      String name,
      String help,
      ToLongFunction<ResourceUsage> valueOf) {
    String family = "trainyard_vc_" + name;
    text.family(family, "gauge", help + ", by virtual cluster.");
    for (VirtualCluster cluster : clusters) {
      long value = valueOf.applyAsLong(snapshot.ofVirtualCluster(cluster.name()));
      text.sample(family, Map.of("vc", cluster.name()), value);
    }
  }

  /**
   * Writes one quota of each virtual cluster; a virtual cluster without this quota has no sample.
   */
  private static void writeQuota(
      MetricText text,
      List<VirtualCluster> clusters,
      String name,
      String help,
      long unit,
      Function<Quota, OptionalLong> valueOf) {
    String family = "trainyard_vc_" + name;
    text.family(family, "gauge", help + ", by virtual cluster; absent without a quota.");
    for (VirtualCluster cluster : clusters) {
      valueOf
          .apply(cluster.quota())
          .ifPresent(limit -> text.sample(family, Map.of("vc", cluster.name()), limit * unit));
    }
  }
}
