package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What OpenPAI's platform understands of the {@code extras} of a job file.
 *
 * @param submitFrom which client wrote the file, as a text
 * @param gangAllocation all tasks start together or none does; else each starts when it can
 * @param defaultStorages whether all storages that are everybody's are wanted, none named
 * @param priorityClass {@code prod}, {@code test} or {@code oppo}; empty where not said
 * @param hivedScheduler the whole of what it says about cells and cards, by role
 * @param notifications the changes of state (such as {@code succeeded}) mail is wanted about
 * @param capabilities rights beyond the usual that the job asks for, of {@code trainyard}
 * @param imageBuild whether an image is made of its only task; no file can say that
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

  /** What was stored before jobs could ask for capabilities comes without them. */
  public JobExtras {
    capabilities = capabilities == null ? List.of() : List.copyOf(capabilities);
    storages = List.copyOf(storages);
    hivedScheduler = Collections.unmodifiableMap(new LinkedHashMap<>(hivedScheduler));
    notifications = List.copyOf(notifications);
    plugins = List.copyOf(plugins);
  }

  public JobExtras withPlugins(List<RuntimePlugin> all) {
    return new JobExtras(
        submitFrom,
        gangAllocation,
        defaultStorages,
        storages,
        priorityClass,
        hivedScheduler,
        notifications,
        all,
        capabilities,
        imageBuild);
  }

  public JobExtras withCapabilities(List<Capability> all) {
    return new JobExtras(
        submitFrom,
        gangAllocation,
        defaultStorages,
        storages,
        priorityClass,
        hivedScheduler,
        notifications,
        plugins,
        all,
        imageBuild);
  }

  public JobExtras ofImageBuild() {
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
