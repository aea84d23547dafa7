package dev.trainyard.cli.file;

import dev.trainyard.cli.api.ApiClient;
import java.util.List;

/**
 * A path on the server as written in a command: {@code :path} is in the home, {@code :gdata/path}
 * and {@code :gshare/path} are in the other storages.
 *
 * @param path relative to the root of the storage; empty for the root
 */
record RemotePath(String storage, String path) {
  private static final List<String> STORAGES = List.of("home", "gdata", "gshare");

  static boolean isRemote(String text) {
    return text.startsWith(":");
  }

  /** Parses a path; the colon may be omitted where only such paths are possible. */
  static RemotePath parse(String text) {
    String path = strip(text.startsWith(":") ? text.substring(1) : text);
    int slash = path.indexOf('/');
    String first = slash < 0 ? path : path.substring(0, slash);
    if (STORAGES.contains(first)) {
      return new RemotePath(first, slash < 0 ? "" : strip(path.substring(slash)));
    }
    return new RemotePath("home", path);
  }

  /** Removes the slashes at both ends. */
  private static String strip(String text) {
    return text.replaceAll("^/+|/+$", "");
  }

  /** Returns the path of a file in this directory. */
  RemotePath child(String name) {
    return new RemotePath(storage, path.isEmpty() ? name : path + "/" + name);
  }

  /** Returns the last component of the path; for the root, the name of the storage. */
  String name() {
    return path.isEmpty() ? storage : path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the path and query of a request; callers may append further parameters. */
  String request(String operation) {
    return "/api/v3/files" + operation + "?storage=" + storage + "&path=" + ApiClient.encode(path);
  }

  @Override
  public String toString() {
    return ":" + (storage.equals("home") ? path : storage + "/" + path);
  }
}
