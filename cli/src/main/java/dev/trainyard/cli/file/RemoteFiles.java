package dev.trainyard.cli.file;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads files and directories of the server. */
final class RemoteFiles {
  private static final int READ_TIMEOUT_MILLIS = 60_000;
  private static final int BUFFER_SIZE = 64 * 1024;

  private final ApiClient api;

  RemoteFiles(ApiClient api) {
    this.api = api;
  }

  /** Receives the next bytes of a file. */
  @FunctionalInterface
  interface Output {
    void write(byte[] bytes, int length) throws IOException;
  }

  /** Returns all entries of a directory. */
  List<Json> list(RemotePath directory) {
    List<Json> files = new ArrayList<>();
    String afterParameter = "";
    do {
      Json page = api.read(directory.request("") + "&limit=1000" + afterParameter);
      files.addAll(page.list("files"));
      afterParameter = page.find("next").map(next -> "&after=" + next).orElse("");
    } while (!afterParameter.isEmpty());
    return files;
  }

  /** Opens a file for reading. */
  ApiClient.Stream open(RemotePath file) throws IOException {
    return api.open(file.request("/content"), READ_TIMEOUT_MILLIS);
  }

  /** Reads a whole file. */
  void read(RemotePath file, Output output) throws IOException {
    try (ApiClient.Stream stream = open(file)) {
      byte[] buffer = new byte[BUFFER_SIZE];
      for (int n = stream.bytes().read(buffer); n >= 0; n = stream.bytes().read(buffer)) {
        output.write(buffer, n);
      }
    }
  }
}
