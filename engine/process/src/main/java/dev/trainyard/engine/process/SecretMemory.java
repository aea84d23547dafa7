package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.Mounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A task's secrets as a separate tmpfs, filled before it is mounted and then made read-only. It
 * exists in the mount namespace of one task and is freed with that namespace.
 */
final class SecretMemory {
  private static final int PAGE_SIZE = 4096;
  private static final int WRITE_ONLY = 1;
  private static final int REGULAR_FILE = 0100000;

  private SecretMemory() {}

  /** Returns a detached mount whose files only the task's root user can read. */
  static int createMount(SecretFiles secrets, IdRange ids) throws IOException {
    int mount = createEmptyMount(secrets, ids);
    try {
      for (var file : secrets.contents().entrySet()) {
        write(mount, file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8), ids);
      }
      Mounts.restrict(
          mount, Mounts.READ_ONLY | Mounts.NO_SETUID | Mounts.NO_DEVICES | Mounts.NO_EXEC);
      return mount;
    } catch (IOException e) {
      Linux.close(mount);
      throw e;
    }
  }

  /** Returns the size of the file system: the pages of all files, and some for the directory. */
  static long size(SecretFiles secrets) {
    long pages = 2;
    for (String text : secrets.contents().values()) {
      pages += 2 + text.getBytes(StandardCharsets.UTF_8).length / PAGE_SIZE;
    }
    return pages * PAGE_SIZE;
  }

  private static int createEmptyMount(SecretFiles secrets, IdRange ids) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("size", Long.toString(size(secrets)));
    options.put("mode", "0700");
    options.put("uid", Integer.toString(ids.base()));
    options.put("gid", Integer.toString(ids.base()));
    Map<String, String> noswapOptions = new LinkedHashMap<>(options);
    noswapOptions.put("noswap", "");
    try {
      return Mounts.create("tmpfs", noswapOptions, Mounts.NO_SETUID | Mounts.NO_DEVICES);
    } catch (LinuxException e) {
      // Linux before 6.4 does not support noswap. On such hosts, swap should be encrypted or
      // disabled.
      return Mounts.create("tmpfs", options, Mounts.NO_SETUID | Mounts.NO_DEVICES);
    }
  }

  private static void write(int mount, String name, byte[] bytes, IdRange ids) throws IOException {
    Linux.createNode(mount, name, REGULAR_FILE, 0400, 0);
    int file = Linux.openAt(mount, name, WRITE_ONLY);
    try {
      Linux.writeAll(file, bytes);
    } finally {
      Linux.close(file);
    }
    Linux.changeOwner(mount, name, ids.base(), ids.base());
  }
}
