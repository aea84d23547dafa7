package dev.trainyard.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads a backup from beginning to end and verifies every byte against the manifest. */
public final class ArchiveReader {
  /**
   * Maximum size of an entry that the server itself has written. Even a very large manifest is far
   * below this limit, because it has one line per piece of a table.
   */
  private static final int MAX_OWN_ENTRY_SIZE = 64 << 20;

  private final Path file;

  public ArchiveReader(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** Receives the entries in order. Content that the visitor does not read is skipped. */
  @FunctionalInterface
  interface Visitor {
    void visit(ArchiveEntry entry, Content content) throws IOException;
  }

  /** The content of one entry. */
  interface Content {
    int read(byte[] buffer) throws IOException;

    /**
     * Returns the whole content. Must be called only for entries that the server itself has
     * written.
     */
    default byte[] readAll() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[64 * 1024];
      for (int count = read(buffer); count >= 0; count = read(buffer)) {
        bytes.write(buffer, 0, count);
        if (bytes.size() > MAX_OWN_ENTRY_SIZE) {
          throw new IOException("an entry is too large");
        }
      }
      return bytes.toByteArray();
    }
  }

  /** Reads the whole file and returns its manifest; throws if any byte was changed. */
  public Manifest verify() {
    return read((entry, content) -> {});
  }

  /**
   * Passes every entry, except the manifests, to the visitor before the integrity of the backup is
   * known. A caller that needs an intact backup beforehand must call {@link #verify} first.
   */
  Manifest read(Visitor visitor) {
    try (InputStream in = Files.newInputStream(file);
        InputStream unpacked = new GZIPInputStream(in, 64 * 1024)) {
      return new VerifyingPass(new TarInput(unpacked, true), visitor).run();
    } catch (NoSuchFileException e) {
      throw new AppException(
          ErrorCode.NOT_FOUND, Message.of("error.backup-missing", "file", file.toString()));
    } catch (IOException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the error for a file that cannot be used as a backup. */
  AppException damaged(String detail) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.backup-damaged", "file", file.toString()).with("detail", detail));
  }

  private static final class VerifyingPass {
    private final TarInput tar;
    private final Visitor visitor;
    private final MessageDigest seal = ArchiveWriter.sha256();
    private final Map<String, String> checksums = new HashMap<>();

    VerifyingPass(TarInput tar, Visitor visitor) {
      this.tar = tar;
      this.visitor = visitor;
    }

    Manifest run() throws IOException {
      Optional<ArchiveEntry> firstEntry = tar.next();
      if (firstEntry.isEmpty() || !firstEntry.get().name().equals(Manifest.HEADER_NAME)) {
        throw new IOException("not a Trainyard backup");
      }
      SealedContent header = new SealedContent(firstEntry.get());
      rejectUnknownFormat(manifest(header.readAll()));
      header.skipRest();
      while (true) {
        ArchiveEntry entry =
            tar.next().orElseThrow(() -> new IOException("the manifest is missing"));
        if (entry.name().equals(Manifest.MANIFEST_NAME)) {
          return requireIntact(manifest(((Content) tar::read).readAll()));
        }
        SealedContent content = new SealedContent(entry);
        visitor.visit(entry, content);
        content.skipRest();
      }
    }

    private static Manifest manifest(byte[] json) throws IOException {
      try {
        return Json.MAPPER.readValue(json, Manifest.class);
      } catch (JsonProcessingException e) {
        throw new IOException("the manifest cannot be read", e);
      }
    }

    private static void rejectUnknownFormat(Manifest manifest) {
      if (manifest.format() < Manifest.OLDEST_FORMAT || manifest.format() > Manifest.FORMAT) {
        throw new AppException(
            ErrorCode.CONFLICT, Message.of("error.backup-newer", "version", manifest.version()));
      }
    }

    private Manifest requireIntact(Manifest manifest) throws IOException {
      String actualSeal = HexFormat.of().formatHex(seal.digest());
      if (!actualSeal.equals(manifest.seal())) {
        throw new IOException("the content was changed");
      }
      for (Map.Entry<String, String> expected : manifest.checksums().entrySet()) {
        if (!expected.getValue().equals(checksums.get(expected.getKey()))) {
          throw new IOException(expected.getKey() + " was changed");
        }
      }
      if (tar.next().isPresent()) {
        throw new IOException("unexpected data after the manifest");
      }
      tar.drain();
      return manifest;
    }

    /**
     * Returns whether the manifest lists a checksum for the entry. The entries of trees have none,
     * because there may be millions; only the seal covers them.
     */
    private static boolean hasChecksum(String name) {
      return name.equals(Manifest.HEADER_NAME)
          || name.startsWith(Backup.ROWS_PREFIX)
          || name.startsWith(Backup.FILES_PREFIX);
    }

    /** Content of an entry. Every byte that is read is added to the seal. */
    private final class SealedContent implements Content {
      private final ArchiveEntry entry;
      private final MessageDigest digest = ArchiveWriter.sha256();

      SealedContent(ArchiveEntry entry) {
        this.entry = entry;
        entry.updateSeal(seal);
      }

      @Override
      public int read(byte[] buffer) throws IOException {
        int count = tar.read(buffer);
        if (count > 0) {
          seal.update(buffer, 0, count);
          digest.update(buffer, 0, count);
        }
        return count;
      }

      void skipRest() throws IOException {
        byte[] buffer = new byte[64 * 1024];
        int count;
        do {
          count = read(buffer);
        } while (count >= 0);
        if (hasChecksum(entry.name())) {
          checksums.put(entry.name(), HexFormat.of().formatHex(digest.digest()));
        }
      }
    }
  }
}
