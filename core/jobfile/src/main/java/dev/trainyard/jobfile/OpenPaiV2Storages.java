package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.RuntimePlugin;
import dev.trainyard.model.StorageMount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the storages that a job requests and their mount paths: {@code extras.storages} and, as in
 * OpenPAI, those of the plugin teamwise_storage.
 *
 * @param defaults whether the job requests all public storages
 */
record OpenPaiV2Storages(boolean defaults, List<StorageMount> mounts) {
  /** Maximum number: each storage is a mount of every task and is compared with every other one. */
  static final int MOST = 100;

  private static final String NAME = "storages";

  static OpenPaiV2Storages read(Fields extras, List<RuntimePlugin> plugins, Problems problems) {
    Reading reading = new Reading(problems);
    boolean defaults = false;
    Optional<Located> value = extras.find(NAME);
    if (value.isPresent() && value.get() instanceof Located.Items items) {
      defaults = items.values().isEmpty();
      if (defaults) {
        extras.warn(NAME, Message.of("jobfile.storage-defaults"));
      }
      for (int i = 0; i < items.values().size(); i++) {
        reading.readOne(Paths.item(extras.path(NAME), i), items.values().get(i));
      }
    } else if (value.isPresent()) {
      OpenPaiV2Extras.strange(extras, NAME);
    }
    String path = extras.path(OpenPaiV2Plugins.KEY);
    Optional<Located> where = extras.find(OpenPaiV2Plugins.KEY);
    for (RuntimePlugin plugin : plugins) {
      if (plugin.name().equals("teamwise_storage")
          && plugin.parameters().get("storageConfigNames") instanceof List<?> names
          && where.isPresent()) {
        for (Object name : names) {
          reading.add(path, where.get(), String.valueOf(name), "");
        }
      }
    }
    return new OpenPaiV2Storages(defaults, reading.mounts);
  }

  /** The state while reading one file. */
  private static final class Reading {
    private final List<StorageMount> mounts = new ArrayList<>();

    /** Includes the names of rejected storages. */
    private final Set<String> names = new HashSet<>();

    private final Problems problems;

    Reading(Problems problems) {
      this.problems = problems;
    }

    void readOne(String path, Located item) {
      Optional<String> storage = OpenPaiV2Extras.field(item, "name");
      if (storage.isPresent()) {
        String mountPath = OpenPaiV2Extras.field(item, "mountPath").orElse("");
        add(path, item, storage.get(), mountPath);
      } else {
        problems.warn(path, item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
      }
    }

    /**
     * Adds a storage. A storage with an invalid name or mount path is an error and not a warning,
     * because data that the job saves there would be lost when it ends.
     */
    void add(String path, Located item, String storage, String mountPath) {
      if (!names.add(storage)) {
        return;
      }
      if (names.size() > MOST) {
        if (names.size() == MOST + 1) {
          problems.add(path, item, Message.of("jobfile.storage-many", "most", MOST));
        }
        return;
      }
      String shown = Excerpt.quoted(storage);
      if (!StorageMount.isName(storage)) {
        problems.add(path, item, Message.of("jobfile.storage-name", "found", shown));
        return;
      }
      StorageMount mount =
          new StorageMount(storage, mountPath.isEmpty() ? "/mnt/" + storage : mountPath);
      if (!mount.isPossible()) {
        String place = Excerpt.quoted(mount.mountPath());
        problems.add(path, item, Message.of("jobfile.storage-path", "found", place));
        return;
      }
      Optional<StorageMount> around = mounts.stream().filter(mount::overlaps).findFirst();
      if (around.isPresent()) {
        problems.add(
            path,
            item,
            Message.of("jobfile.storage-overlap", "found", Excerpt.quoted(mount.mountPath()))
                .with("other", Excerpt.quoted(around.get().mountPath())));
        return;
      }
      mounts.add(mount);
      problems.warn(
          path,
          item,
          Message.of("jobfile.storage-own", "name", storage).with("path", mount.mountPath()));
    }
  }
}
