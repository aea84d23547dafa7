package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.storage.Storage;
import dev.trainyard.server.storage.StoragePath;
import dev.trainyard.server.storage.StorageUser;
import dev.trainyard.server.storage.Upload;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Receives the body of a request as a file of a storage. */
final class ReceivedFile {
  private static final int CHUNK_SIZE = 256 * 1024;

  /** Number of bytes between two checks of the disk and of the caller's rights. */
  private static final long CHECK_EVERY_BYTES = 64L * 1024 * 1024;

  private ReceivedFile() {}

  /**
   * Stores the body. The calling thread waits for the client; only the disk is accessed on pooled
   * threads. If the client disconnects or the disk becomes full, nothing is stored.
   *
   * @param requireSpace throws if the disk is nearly full
   */
  static FileHandle.Attributes store(
      Request request,
      Storage storage,
      StorageUser user,
      StoragePath path,
      boolean overwrite,
      Runnable requireSpace)
      throws IOException {
    requireSpace.run();
    try (Upload upload = WorkPools.FILES.run(() -> storage.write(user, path, overwrite))) {
      InputStream body = request.stream();
      byte[] chunk = new byte[CHUNK_SIZE];
      long uncheckedBytes = 0;
      for (int count = read(body, chunk); count > 0; count = read(body, chunk)) {
        ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count);
        WorkPools.FILES.<Void, IOException>resume(
            () -> {
              upload.write(bytes);
              return null;
            });
        uncheckedBytes += count;
        if (uncheckedBytes >= CHECK_EVERY_BYTES) {
          uncheckedBytes = 0;
          requireSpace.run();
          requireSignedIn(request);
        }
      }
      requireSignedIn(request);
      return WorkPools.FILES.resume(upload::commit);
    }
  }

  private static int read(InputStream body, byte[] chunk) {
    try {
      return body.readNBytes(chunk, 0, chunk.length);
    } catch (IOException e) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.upload-incomplete"));
    }
  }

  /** The rights may have been revoked while the body arrived. */
  private static void requireSignedIn(Request request) {
    if (!request.isStillSignedIn()) {
      throw new AppException(ErrorCode.SIGN_IN_REQUIRED, Message.of("error.sign-in-required"));
    }
  }
}
