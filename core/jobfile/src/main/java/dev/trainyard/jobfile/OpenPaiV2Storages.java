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
 * The storages that a job requests and their mount paths, from {@code extras.storages} and, as in
 * OpenPAI, from the plugin {@code teamwise_storage}.
 *
 * @param defaults whether the job requests all public storages
 */
record OpenPaiV2Storages(boolean defaults, List<StorageMount> mounts) {
  /**
   * Maximum number of storages of a job. Each storage is mounted in every task, and its path is
   * compared with the path of every other storage.
   */
  static final int MAX_STORAGES = 100;

  private static final String NAME = "storages";

  static OpenPaiV2Storages read(Fields extras, List<RuntimePlugin> plugins, Problems problems) {
    StorageReader reader = new StorageReader(problems);
    boolean defaults = false;
    Optional<DocumentValue> value = extras.find(NAME);
    if (value.isPresent() && value.get() instanceof DocumentValue.Items items) {
      defaults = items.values().isEmpty();
      if (defaults) {
        extras.warn(NAME, Message.of("jobfile.storage-defaults"));
      }
      for (int i = 0; i < items.values().size(); i++) {
        reader.readStorage(DocumentPaths.item(extras.path(NAME), i), items.values().get(i));
      }
    } else if (value.isPresent()) {
      OpenPaiV2Extras.warnOfForm(extras, NAME);
    }
    String path = extras.path(OpenPaiV2Plugins.KEY);
    Optional<DocumentValue> pluginsValue = extras.find(OpenPaiV2Plugins.KEY);
    for (RuntimePlugin plugin : plugins) {
      if (plugin.name().equals("teamwise_storage")
          && plugin.parameters().get("storageConfigNames") instanceof List<?> names
          && pluginsValue.isPresent()) {
        for (Object name : names) {
          reader.add(path, pluginsValue.get(), String.valueOf(name), "");
        }
      }
    }
    return new OpenPaiV2Storages(defaults, reader.mounts);
  }

  /** The state while reading one file. */
  private static final class StorageReader {
    private final List<StorageMount> mounts = new ArrayList<>();

    /** Includes the names of rejected storages. */
    private final Set<String> names = new HashSet<>();

    private final Problems problems;

    StorageReader(Problems problems) {
      this.problems = problems;
    }

    void readStorage(String path, DocumentValue item) {
      Optional<String> storage = OpenPaiV2Extras.textField(item, "name");
      if (storage.isPresent()) {
        String mountPath = OpenPaiV2Extras.textField(item, "mountPath").orElse("");
        add(path, item, storage.get(), mountPath);
      } else {
        problems.warn(path, item, Message.of("jobfile.extras-form", "name", Excerpt.of(item)));
      }
    }

    /**
     * Adds a storage. An invalid name or mount path is an error, not a warning, because the data
     * that the job saves at that path would be lost when the job ends.
     */
    void add(String path, DocumentValue item, String storage, String mountPath) {
      if (!names.add(storage)) {
        return;
      }
      if (names.size() > MAX_STORAGES) {
        if (names.size() == MAX_STORAGES + 1) {
          problems.add(path, item, Message.of("jobfile.storage-many", "most", MAX_STORAGES));
        }
        return;
      }
      String shownName = Excerpt.quoted(storage);
      if (!StorageMount.isValidName(storage)) {
        problems.add(path, item, Message.of("jobfile.storage-name", "found", shownName));
        return;
      }
      StorageMount mount =
          new StorageMount(storage, mountPath.isEmpty() ? "/mnt/" + storage : mountPath);
      if (!mount.isValid()) {
        String shownPath = Excerpt.quoted(mount.mountPath());
        problems.add(path, item, Message.of("jobfile.storage-path", "found", shownPath));
        return;
      }
      Optional<StorageMount> overlappingMount = mounts.stream().filter(mount::overlaps).findFirst();
      if (overlappingMount.isPresent()) {
        problems.add(
            path,
            item,
            Message.of("jobfile.storage-overlap", "found", Excerpt.quoted(mount.mountPath()))
                .with("other", Excerpt.quoted(overlappingMount.get().mountPath())));
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
