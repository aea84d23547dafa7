package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.WatchedSink;
import dev.trainyard.server.storage.FileErrors;
import dev.trainyard.server.work.WorkPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** A response that contains a directory as an archive, which is created while it is sent. */
public final class ArchiveDownload {
  private static final int CHUNK_SIZE = 64 * 1024;

  private ArchiveDownload() {}

  /**
   * @param opener opens the directory; called twice, because the response begins only after the
   *     directory was found
   * @param name name of the directory in the archive, and of the archive
   * @param included whether a file or directory is in the archive
   */
  public static Reply of(
      FileDownload.FileOpener opener,
      String path,
      String name,
      Predicate<FileHandle.Attributes> included,
      Request request)
      throws IOException {
    ArchiveFormat format = FileQuery.format(request);
    WorkPools.FILES.<Void, IOException>run(
        () -> {
          openDirectory(opener, path).close();
          return null;
        });
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    String topLevelName = new String(bytes, StandardCharsets.ISO_8859_1);
    Reply.Stream body =
        sink -> {
          try (FileHandle root = WorkPools.FILES.resume(() -> openDirectory(opener, path))) {
            Reply.Sink checkedSink =
                new WatchedSink(sink, request::isStillSignedIn, WatchedSink.CHECK_INTERVAL);
            pack(root, topLevelName, format, included, checkedSink);
          }
        };
    return FileDownload.attachment(Reply.of(200, body), name + "." + format.label())
        .with("Content-Type", format.contentType());
  }

  /**
   * Packs a directory and sends the archive. Only packing occupies a thread of the pool, because
   * the client may be slow.
   */
  private static void pack(
      FileHandle root,
      String name,
      ArchiveFormat format,
      Predicate<FileHandle.Attributes> included,
      Reply.Sink sink)
      throws IOException {
    ByteArrayOutputStream packedBytes = new ByteArrayOutputStream();
    try (TreeArchive archive = new TreeArchive(root, name, format.packer(packedBytes), included)) {
      boolean hasMore = true;
      while (hasMore) {
        hasMore = WorkPools.FILES.resume(archive::step);
        if (packedBytes.size() >= CHUNK_SIZE || !hasMore) {
          sink.write(packedBytes.toByteArray(), 0, packedBytes.size());
          packedBytes.reset();
        }
      }
    }
  }

  private static FileHandle openDirectory(FileDownload.FileOpener opener, String path)
      throws IOException {
    FileHandle directory = opener.open();
    if (directory.attributes().kind() != FileHandle.Kind.DIRECTORY) {
      directory.close();
      throw FileErrors.notDirectory(path);
    }
    return directory;
  }
}
