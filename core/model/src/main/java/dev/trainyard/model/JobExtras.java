package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a job file's {@code extras} that affect how the job runs.
 *
 * @param submitFrom name of the client that wrote the file
 * @param gangAllocation whether all tasks start together; if not, each task starts as soon as it
 *     fits
 * @param defaultStorages whether the job requests all public storages instead of naming some
 * @param priorityClass {@code prod}, {@code test} or {@code oppo}; empty if not given
 * @param hivedScheduler the complete section {@code hivedScheduler}
 * @param notifications state changes (such as {@code succeeded}) for which mail is requested
 * @param capabilities additional capabilities that the job requests in {@code trainyard}
 * @param imageBuild whether an image is created from the job's only task; cannot be set in a file
 */
public record JobExtras(
    String submitFrom,
    boolean gangAllocation,
    boolean defaultStorages,
    List<StorageMount> storages,
    String priorityClass,
    Map<String, Object> hivedScheduler,
    List<String> notifications,
    List<RuntimePlugin> plugins,
    List<Capability> capabilities,
    boolean imageBuild) {
  public static final JobExtras NONE =
      new JobExtras(
          "", true, false, List.of(), "", Map.of(), List.of(), List.of(), List.of(), false);

  /** Accepts null for fields that stored jobs of earlier versions do not contain. */
  public JobExtras {
    capabilities = capabilities == null ? List.of() : List.copyOf(capabilities);
    storages = List.copyOf(storages);
    hivedScheduler = Collections.unmodifiableMap(new LinkedHashMap<>(hivedScheduler));
    notifications = List.copyOf(notifications);
    plugins = List.copyOf(plugins);
  }

  public JobExtras withPlugins(List<RuntimePlugin> newPlugins) {
    return new JobExtras(
        submitFrom,
        gangAllocation,
        defaultStorages,
        storages,
        priorityClass,
        hivedScheduler,
        notifications,
        newPlugins,
        capabilities,
        imageBuild);
  }

  public JobExtras withCapabilities(List<Capability> newCapabilities) {
    return new JobExtras(
        submitFrom,
        gangAllocation,
        defaultStorages,
        storages,
        priorityClass,
        hivedScheduler,
        notifications,
        plugins,
        newCapabilities,
        imageBuild);
  }

  public JobExtras asImageBuild() {
    return new JobExtras(
        submitFrom,
        gangAllocation,
        defaultStorages,
        storages,
        priorityClass,
        hivedScheduler,
        notifications,
        plugins,
        capabilities,
        true);
  }
}
