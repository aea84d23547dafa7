package dev.trainyard.cli.api;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stored credentials of a signed-in user, in a file that only its owner can read.
 *
 * @param caCert file with the certificates to trust for this server
 */
public record Login(URI server, String user, String token, Optional<Path> caCert) {
  public Login(URI server, String user, String token) {
    this(server, user, token, Optional.empty());
  }

  /** The file that stores the credentials. */
  public record Store(Path file) {
    public static Store of(Map<String, String> env, Path home) {
      String configuredDirectory = env.getOrDefault("XDG_CONFIG_HOME", "");
      Path configDirectory =
          configuredDirectory.isEmpty() ? home.resolve(".config") : Path.of(configuredDirectory);
      return new Store(configDirectory.resolve("trainyard/login.json"));
    }

    public Optional<Login> find() {
      try {
        Json json = Json.parse(Files.readAllBytes(file));
        return json.find("server")
            .map(
                url ->
                    new Login(
                        URI.create(url),
                        json.string("user"),
                        json.string("token"),
                        json.find("caCert").map(Path::of)));
      } catch (IOException | IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    /** Writes a temporary file and renames it, so that readers never see a partial token. */
    public void save(Login login) throws IOException {
      Path directory = file.getParent();
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory.getParent());
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Path temporary =
          Files.createTempFile(
              directory,
              "login",
              ".json",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("server", login.server());
      fields.put("user", login.user());
      fields.put("token", login.token());
      login.caCert().ifPresent(path -> fields.put("caCert", path.toString()));
      String text = new Json(fields).pretty();
      Files.write(temporary, (text + "\n").getBytes(StandardCharsets.UTF_8));
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public void delete() throws IOException {
      Files.deleteIfExists(file);
    }
  }
}
