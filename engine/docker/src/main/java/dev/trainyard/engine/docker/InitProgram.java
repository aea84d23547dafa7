package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.Linux;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The first process of every container; see {@code src/main/c}. It is stored in a directory named
 * after the hash of its content, so that a newer server does not change the program of a running
 * container.
 */
final class InitProgram {
  private InitProgram() {}

  static Path unpack(String architecture, Path directory) throws IOException {
    byte[] program = read("init", architecture);
    Path versionDirectory = directory.resolve(hash(program).substring(0, 16));
    Path file = versionDirectory.resolve("init");
    if (!Files.exists(file)) {
      Files.createDirectories(versionDirectory);
      Path draft = Files.createTempFile(versionDirectory, "draft", "");
      Files.write(draft, program);
      Linux.changeMode(draft.toString(), 0755);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }

  /**
   * @param program name of a program of {@code src/main/c}, without the suffix
   */
  static byte[] read(String program, String architecture) throws IOException {
    String name = program + "-" + architecture;
    try (InputStream in = InitProgram.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new EngineException(
            "unsupported container architecture "
                + architecture
                + ": only amd64 and arm64 are supported");
      }
      return in.readAllBytes();
    }
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
