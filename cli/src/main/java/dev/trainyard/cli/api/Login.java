package dev.trainyard.cli.api;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/** Stored session of a user on a server, in a file that only its owner can read. */
public record Login(URI server, String user, String token) {

  /** The file that stores the session. */
  public record Store(Path file) {
    public static Store of(Map<String, String> env, Path home) {
      String configured = env.getOrDefault("XDG_CONFIG_HOME", "");
      Path config = configured.isEmpty() ? home.resolve(".config") : Path.of(configured);
      return new Store(config.resolve("trainyard/login.json"));
    }

    public Optional<Login> find() {
      try {
        Json json = Json.parse(Files.readAllBytes(file));
        return json.find("server")
            .map(url -> new Login(URI.create(url), json.string("user"), json.string("token")));
      } catch (IOException | IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    /** Writes a temporary file and renames it, so that readers never see a partial token. */
    public void save(Login login) throws IOException {
      Path folder = file.getParent();
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder.getParent());
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Path fresh =
          Files.createTempFile(
              folder,
              "login",
              ".json",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      String text =
          new Json(Map.of("server", login.server(), "user", login.user(), "token", login.token()))
              .pretty();
      Files.write(fresh, (text + "\n").getBytes(StandardCharsets.UTF_8));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public void forget() throws IOException {
      Files.deleteIfExists(file);
    }
  }
}
