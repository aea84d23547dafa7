package dev.trainyard.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A server that runs from the real jar with its own data directory, and the command line for this
 * server.
 */
final class Trainyard implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  static final Path CHECKOUT = Path.of(System.getProperty("trainyard.checkout", ".."));
  static final Path JAR = CHECKOUT.resolve("dist/target/trainyard.jar");

  /** Output and exit code of a command. */
  record Result(int exitCode, String out, String err) {
    JsonNode json() {
      try {
        return JSON.readTree(out);
      } catch (IOException e) {
        throw new AssertionError("no JSON: " + this, e);
      }
    }
  }

  /**
   * Executor for tasks that wait for a process. The common pool, which is the default, has only one
   * thread on a host with two processors, so a waiting task would block other test classes and
   * {@code Process.onExit}.
   */
  static final Executor BLOCKING = task -> Thread.ofPlatform().daemon().start(task);

  private final Account account;
  private final Path data;
  private final Process server;
  private final String url;

  private Trainyard(Account account, Path data, Process server, String url) {
    this.account = account;
    this.data = data;
    this.server = server;
    this.url = url;
  }

  /** Starts a server on a free port; extra options are passed to {@code up}. */
  static Trainyard start(Path data, String... options) throws Exception {
    return start(data, Map.of(), options);
  }

  static Trainyard start(Path data, Map<String, String> environment, String... options)
      throws Exception {
    return start(Account.current(), data, environment, options);
  }

  static Trainyard start(
      Account account, Path data, Map<String, String> environment, String... options)
      throws Exception {
    Process process = launch(account, data, environment, options);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder seen = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      seen.append(line).append('\n');
      if (line.startsWith("Trainyard is ready at ")) {
        Thread.ofVirtual().start(() -> out.lines().forEach(rest -> {}));
        return new Trainyard(
            account, data, process, line.substring("Trainyard is ready at ".length()));
      }
    }
    throw new StartFailed(process.waitFor(), seen.toString(), Files.readString(errors(data)));
  }

  /** Starts a server without waiting until it is ready. */
  static Process launch(Path data, Map<String, String> environment, String... options)
      throws IOException {
    return launch(Account.current(), data, environment, options);
  }

  private static Process launch(
      Account account, Path data, Map<String, String> environment, String... options)
      throws IOException {
    List<String> command = java(account, "it-server.aot");
    command.addAll(List.of("up", "--data", data.toString()));
    if (!List.of(options).contains("--port")) {
      command.addAll(List.of("--port", "0"));
    }
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Files.createDirectories(data.toAbsolutePath().getParent());
    return builder.redirectError(errors(data).toFile()).start();
  }

  private static Path errors(Path data) {
    return data.resolveSibling(data.getFileName() + ".err");
  }

  /** Kills the server, as in a crash: it cannot clean up. */
  void kill() throws InterruptedException {
    server.destroyForcibly();
    server.waitFor();
  }

  /** Thrown if the server exits before it is ready. */
  static final class StartFailed extends Exception {
    final int exitCode;

    StartFailed(int exitCode, String out, String err) {
      super("exit code " + exitCode + "\n" + out + "\n" + err);
      this.exitCode = exitCode;
    }
  }

  /**
   * Returns the command with the flags of the launcher and an AOT cache, which the build creates
   * before the tests.
   */
  private static List<String> java(Account account, String cache) {
    List<String> command = new ArrayList<>(account.prefix());
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData"));
    Path file = JAR.resolveSibling(cache);
    if (account.jar().equals(JAR) && Files.exists(file)) {
      command.add("-XX:AOTCache=" + file);
    }
    command.addAll(List.of("-jar", account.jar().toString()));
    return command;
  }

  /** Returns the program and arguments that run a command of the real command line. */
  static List<String> commandLine(String... arguments) {
    List<String> command = java(Account.current(), "it-cli.aot");
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** Runs a command as the account of this server. */
  Result run(String... arguments) throws Exception {
    return command(account, Map.of("TRAINYARD_DATA", data.toString()), "", arguments);
  }

  /** Runs a command with additional environment variables and standard input. */
  static Result command(Map<String, String> environment, String input, String... arguments)
      throws Exception {
    return command(Account.current(), environment, input, arguments);
  }

  private static Result command(
      Account account, Map<String, String> environment, String input, String... arguments)
      throws Exception {
    List<String> command = java(account, "it-cli.aot");
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    Process process = builder.start();
    CompletableFuture<String> out =
        CompletableFuture.supplyAsync(() -> text(process, false), BLOCKING);
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process, true), BLOCKING);
    try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
      stdin.write(input);
    }
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("still running after 2 minutes: " + List.of(arguments));
    }
    return new Result(process.exitValue(), out.join(), err.join());
  }

  private static String text(Process process, boolean err) {
    try (var in = err ? process.getErrorStream() : process.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "unreadable: " + e;
    }
  }

  /** Sends a request with the administrator's local token. */
  HttpResponse<String> request(String method, String path, String body) throws Exception {
    return request(method, path, body, Files.readString(data.resolve("local-token")).strip());
  }

  HttpResponse<String> request(String method, String path, String body, String token)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  /** Waits until a job is in one of these states. */
  JsonNode await(String job, String... states) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (true) {
      var response = request("GET", "/api/v3/jobs/" + job, "");
      JsonNode found = JSON.readTree(response.body());
      if (List.of(states).contains(found.path("state").asText())) {
        return found;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not " + List.of(states) + " in 90 s: " + found);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Returns an OpenPAI v1 job file with one role. */
  static String job(String name, String command) {
    return JSON.createObjectNode()
        .put("jobName", name)
        .put("image", "ubuntu:16.04")
        .set(
            "taskRoles",
            JSON.createArrayNode()
                .add(
                    JSON.createObjectNode()
                        .put("name", "main")
                        .put("memoryMB", 512)
                        .put("command", command)))
        .toString();
  }

  /** Submits a job and returns the response, whose status must be 201. */
  JsonNode submit(String jobFile) throws Exception {
    var response = request("POST", "/api/v3/jobs", jobFile);
    if (response.statusCode() != 201) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }

  String log(String job, String stream) throws Exception {
    return request("GET", "/api/v3/jobs/" + job + "/logs/-/-/" + stream, "").body();
  }

  Path data() {
    return data;
  }

  String url() {
    return url;
  }

  Process process() {
    return server;
  }

  @Override
  public void close() {
    server.destroy();
    boolean exited = false;
    try {
      exited = server.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!exited) {
      server.destroyForcibly();
      throw new AssertionError("the server did not exit within 30 s of SIGTERM");
    }
  }
}
