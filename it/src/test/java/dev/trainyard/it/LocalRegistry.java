package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** An image registry, from the Debian package docker-registry, that accepts only the user alice. */
record LocalRegistry(Process process, String host) implements AutoCloseable {
  static final String USER = "alice";
  static final String PASSWORD = "secret";
  private static final Path PROGRAM = Path.of("/usr/bin/docker-registry");
  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(60);

  /** Content of the password file; the password is hashed with bcrypt at cost 4. */
  private static final String PASSWORDS =
      USER + ":$2y$04$XYWqJ/9H2M3RLi2a2cI32OFM/Yc5c7.OesJyvB3S29GPWZc8NOVIK\n";

  static LocalRegistry start(Path directory) throws Exception {
    Requirement.require("docker", Files.isExecutable(PROGRAM), "docker-registry is not installed");
    Files.createDirectories(directory);
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Path passwords = Files.writeString(directory.resolve("passwords"), PASSWORDS);
    String text =
        """
        version: 0.1
        log: {level: error}
        storage: {filesystem: {rootdirectory: %s}}
        http: {addr: "127.0.0.1:%d"}
        auth: {htpasswd: {realm: test, path: %s}}
        """
            .formatted(directory.resolve("images"), port, passwords);
    Path config = Files.writeString(directory.resolve("registry.yml"), text);
    Process process =
        new ProcessBuilder(PROGRAM.toString(), "serve", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("registry.log").toFile())
            .start();
    LocalRegistry registry = new LocalRegistry(process, "127.0.0.1:" + port);
    long end = System.nanoTime() + DEADLINE;
    while (true) {
      try {
        registry.get("/v2/");
        return registry;
      } catch (IOException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  /** Returns the response to a request of alice. */
  String get(String path) throws Exception {
    String login = USER + ":" + PASSWORD;
    String basic = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    var request =
        HttpRequest.newBuilder(URI.create("http://" + host + path))
            .header("Authorization", "Basic " + basic)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
