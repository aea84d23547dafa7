package dev.trainyard.engine.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The scripts of the engine. Each script is in a directory named after the hash of its content, so
 * that a newer server does not change the script of a running supervisor.
 */
final class Scripts {
  private Scripts() {}

  static Path unpack(String name, Path directory) throws IOException {
    return unpack(name, read(name).getBytes(StandardCharsets.UTF_8), directory);
  }

  /** Writes a file with this content unless it exists. */
  static Path unpack(String name, byte[] content, Path directory) throws IOException {
    Path versionDirectory = directory.resolve(hash(content).substring(0, 16));
    Path script = versionDirectory.resolve(name);
    if (!Files.exists(script)) {
      Files.createDirectories(versionDirectory);
      Path draft = Files.createTempFile(versionDirectory, "draft", "");
      Files.write(draft, content);
      Files.move(draft, script, StandardCopyOption.ATOMIC_MOVE);
    }
    return script;
  }

  static String read(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("resource " + name + " is missing or unreadable", e);
    }
  }

  static String hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hash(byte[] content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
