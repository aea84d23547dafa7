package dev.trainyard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A server that is started with the launcher, as users start their servers. */
final class BenchServer implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  static final Path LAUNCHER = Path.of(System.getProperty("trainyard.checkout"), "trainyard");

  /**
   * Value of the setting for user limits that disables all limits, because one user submits more
   * jobs than the default limits allow.
   */
  static final String UNLIMITED =
      "unfinishedJobs=unlimited,unfinishedTasks=unlimited,unfinishedFilesMB=unlimited";

  private final Process process;
  private final Path data;
  private final String url;
  private String token;

  private BenchServer(Process process, Path data, String url) {
    this.process = process;
    this.data = data;
    this.url = url;
  }

  static BenchServer start(Path data, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString(), "up"));
    command.addAll(List.of("--port", "0", "--data", data.toString()));
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(data.resolveSibling("errors").toFile());
    // A measurement of another engine overrides this default with an option.
    builder.environment().put("TRAINYARD_ENGINE", "process");
    builder.environment().put("TRAINYARD_USER_LIMITS", UNLIMITED);
    Process process = builder.start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String readyPrefix = "Trainyard is ready at ";
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(readyPrefix)) {
        return new BenchServer(process, data, line.substring(readyPrefix.length()));
      }
    }
    throw new IOException(
        "the server did not start: " + Files.readString(data.resolveSibling("errors")));
  }

  /** Returns the resident memory of the server process in megabytes. */
  long residentMegabytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    throw new IOException("VmRSS is missing in /proc/" + process.pid() + "/status");
  }

  /** Opens a request as the local administrator; the JDK keeps connections alive. */
  HttpURLConnection open(String method, String path, String body) throws IOException {
    if (token == null) {
      token = Files.readString(data.resolve("local-token")).strip();
    }
    var connection = (HttpURLConnection) URI.create(url + path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setRequestProperty("Authorization", "Bearer " + token);
    if (!body.isEmpty()) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    return connection;
  }

  JsonNode call(String method, String path, String body) throws IOException {
    return JSON.readTree(read(method, path, body));
  }

  /** Returns the complete body of the response without parsing it. */
  byte[] read(String method, String path, String body) throws IOException {
    HttpURLConnection connection = open(method, path, body);
    if (connection.getResponseCode() >= 400) {
      try (InputStream error = connection.getErrorStream()) {
        throw new IOException(new String(error.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    try (InputStream response = connection.getInputStream()) {
      return response.readAllBytes();
    }
  }

  String token() throws IOException {
    return Files.readString(data.resolve("local-token")).strip();
  }

  URI uri(String path) {
    return URI.create(url + path);
  }

  static String job(String name, int devices, String command) {
    return """
    {"jobName": "%s", "image": "none", "taskRoles": [
      {"name": "main", "memoryMB": 256, "gpuNumber": %d, "command": "%s"}]}
    """
        .formatted(name, devices, command);
  }

  @Override
  public void close() {
    process.destroy();
    // There is no timeout, so that the measurement hangs visibly if the server does not exit.
    process.onExit().join();
  }
}
