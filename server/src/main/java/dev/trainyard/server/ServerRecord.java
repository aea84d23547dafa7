package dev.trainyard.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.http.Json;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code server.json}: tells the command line where the server is, while it is there. */
record ServerRecord(URI url, Instant started) {
  private static final String FILE = "server.json";

  void write(DataDirectory directory) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("url", url.toString());
    record.put("pid", ProcessHandle.current().pid());
    record.put("started", started);
    record.put("version", Version.CURRENT);
    try {
      directory.writePrivate(FILE, Json.MAPPER.writeValueAsString(record) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  void remove(DataDirectory directory) {
    directory.delete(FILE);
  }
}
