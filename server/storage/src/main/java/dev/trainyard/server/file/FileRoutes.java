package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.storage.DirectoryPage;
import dev.trainyard.server.storage.PlatformStorages;
import dev.trainyard.server.storage.Storage;
import dev.trainyard.server.storage.StoragePath;
import dev.trainyard.server.storage.StorageUser;
import dev.trainyard.server.storage.TreeUsage;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * {@code /api/v3/files}: the files of the caller in the home, the datasets and the shared folder.
 */
public final class FileRoutes {
  private static final String FILES = "/api/v3/files";

  /** Maximum number of concurrent transfers of one user; each holds file descriptors. */
  private static final int MAX_TRANSFERS = 16;

  private final PlatformStorages storages;
  private final ToIntFunction<Caller> idRanges;
  private final Runnable requireSpace;
  private final Downloads downloads = new Downloads(MAX_TRANSFERS);
  private final Downloads uploads = Downloads.ofUploads(MAX_TRANSFERS);

  /**
   * @param idRanges returns the number of a user's ID range
   * @param requireSpace throws if the disk is nearly full
   */
  public FileRoutes(
      PlatformStorages storages, ToIntFunction<Caller> idRanges, Runnable requireSpace) {
    this.storages = storages;
    this.idRanges = idRanges;
    this.requireSpace = requireSpace;
  }

  public void addTo(Routes routes) {
    routes.add("GET", FILES, Access.USER, this::list);
    routes.add("DELETE", FILES, Access.USER, this::delete);
    routes.add("GET", FILES + "/content", Access.USER, this::download);
    routes.add("PUT", FILES + "/content", Access.USER, BodyLimit.STREAMED, this::upload);
    routes.add("GET", FILES + "/archive", Access.USER, this::pack);
    routes.add("GET", FILES + "/usage", Access.USER, this::usage);
    routes.add("POST", FILES + "/directory", Access.USER, this::createDirectory);
    routes.add("POST", FILES + "/move", Access.USER, this::move);
  }

  private StorageUser user(Request request) {
    Caller caller = request.caller();
    return new StorageUser(caller.userName(), idRanges.applyAsInt(caller));
  }

  private Storage storage(Request request) {
    return storages.load(request.query("storage").orElse(PlatformStorages.HOME));
  }

  private Object list(Request request) throws IOException {
    FileQuery.Page page = FileQuery.page(request);
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.path(request));
    StorageUser user = user(request);
    DirectoryPage files =
        WorkPools.FILES.run(() -> storage.list(user, path, page.after(), page.limit()));
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("storage", storage.name());
    view.putAll(DirectoryView.of(path.toString(), files));
    return view;
  }

  private Object download(Request request) throws IOException {
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.filePath(request));
    StorageUser user = user(request);
    downloads.begin(request.caller().userId());
    return WorkPools.FILES.run(
        () ->
            FileDownload.of(
                () -> FileDownload.requireFile(storage.open(user, path), path.toString()),
                path.name(),
                request));
  }

  private Object pack(Request request) throws IOException {
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.path(request));
    StorageUser user = user(request);
    downloads.begin(request.caller().userId());
    return ArchiveDownload.of(
        () -> storage.open(user, path),
        path.toString(),
        path.isRoot() ? storage.name() : path.name(),
        file -> storage.isReadable(user, file),
        request);
  }

  /** Counts in steps, between which other requests use the thread. */
  private Object usage(Request request) throws IOException {
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.path(request));
    StorageUser user = user(request);
    try (TreeUsage usage = WorkPools.FILES.run(() -> storage.usage(user, path))) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = WorkPools.FILES.resume(usage::step);
      }
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("storage", storage.name());
      view.put("path", path.toString());
      view.put("bytes", usage.bytes());
      view.put("files", usage.files());
      view.put("directories", usage.directories());
      return view;
    }
  }

  private Object upload(Request request) throws IOException {
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.filePath(request));
    boolean overwrite = flag(request, "overwrite");
    StorageUser user = user(request);
    uploads.begin(request.caller().userId());
    FileHandle.Attributes written =
        ReceivedFile.store(request, storage, user, path, overwrite, requireSpace);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("storage", storage.name());
    view.put("path", path.toString());
    view.put("size", written.size());
    view.put("modified", Math.max(0, written.modified().toMillis()));
    return Reply.of(201, view);
  }

  private Object createDirectory(Request request) throws IOException {
    Fields fields = new Fields(request.json());
    String storageName = fields.optionalText("storage").orElse(PlatformStorages.HOME);
    String pathText = fields.text("path");
    fields.check();
    Storage storage = storages.load(storageName);
    StoragePath path = StoragePath.parse(pathText);
    StorageUser user = user(request);
    requireSpace.run();
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          storage.createDirectory(user, path);
          return null;
        });
    return Reply.of(201, place(storage, path));
  }

  private Object move(Request request) throws IOException {
    Fields fields = new Fields(request.json());
    String storageName = fields.optionalText("storage").orElse(PlatformStorages.HOME);
    String fromText = fields.text("from");
    String toText = fields.text("to");
    boolean overwrite = fields.optionalFlag("overwrite").orElse(false);
    fields.check();
    Storage storage = storages.load(storageName);
    StoragePath from = StoragePath.parse(fromText);
    StoragePath to = StoragePath.parse(toText);
    StorageUser user = user(request);
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          storage.move(user, from, to, overwrite);
          return null;
        });
    return place(storage, to);
  }

  private static Map<String, Object> place(Storage storage, StoragePath path) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("storage", storage.name());
    view.put("path", path.toString());
    return view;
  }

  private Object delete(Request request) throws IOException {
    Storage storage = storage(request);
    StoragePath path = StoragePath.parse(FileQuery.filePath(request));
    boolean recursive = flag(request, "recursive");
    StorageUser user = user(request);
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          storage.delete(user, path, recursive);
          return null;
        });
    return Reply.noContent();
  }

  private static boolean flag(Request request, String name) {
    String value = request.query(name).orElse("false");
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw FileQuery.badQuery(
              List.of(Problem.at(name, Message.of("error.not-a-flag", "value", value))));
    };
  }
}
