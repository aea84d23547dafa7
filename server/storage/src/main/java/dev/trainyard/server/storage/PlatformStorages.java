package dev.trainyard.server.storage;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.Volume;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/** The storages that every user has: the home, the datasets and the shared folder. */
public final class PlatformStorages {
  /** Name of the storage with the files of one user. */
  public static final String HOME = "home";

  static final String DATASETS = "gdata";
  static final String SHARED = "gshare";

  private final Map<String, Storage> storages = new LinkedHashMap<>();

  public PlatformStorages(StorageDirectories directories, Engine engine, InstantSource clock) {
    this(directories, engine::prepareVolume, StorageRoots.isRoot(), clock);
  }

  /**
   * @param preparer creates the directory of a volume for the user of an ID range
   * @param serverIsRoot whether the server can give files to other owners
   */
  PlatformStorages(
      StorageDirectories directories,
      ObjIntConsumer<Volume> preparer,
      boolean serverIsRoot,
      InstantSource clock) {
    Function<StorageUser, Volume> home =
        user -> new Volume(directories.home(user.name()), "/userhome", Volume.Access.OWNED);
    Volume datasets = new Volume(directories.datasets(), "/gdata", Volume.Access.READ_ONLY);
    Volume shared = new Volume(directories.shared(), "/gshare", Volume.Access.SHARED);
    add(
        new DirectoryStorage(
            HOME, new StorageRoots(home, false, preparer, serverIsRoot), true, clock));
    add(
        new DirectoryStorage(
            DATASETS, new StorageRoots(_ -> datasets, true, preparer, serverIsRoot), true, clock));
    add(
        new DirectoryStorage(
            SHARED, new StorageRoots(_ -> shared, false, preparer, serverIsRoot), false, clock));
  }

  private void add(Storage storage) {
    storages.put(storage.name(), storage);
  }

  /** Returns the storage with a name; throws NOT_FOUND if there is none. */
  public Storage load(String name) {
    Storage storage = storages.get(name);
    if (storage == null) {
      throw new AppException(
          ErrorCode.NOT_FOUND,
          Message.of("error.no-such-storage", "name", name)
              .with("names", String.join(", ", storages.keySet())));
    }
    return storage;
  }
}
