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
   * A manifest has one line per piece of a table, so even a very large one is far below this limit.
   */
  private static final int MAX_OWN_ENTRY_SIZE = 64 << 20;

  private final Path file;

  public ArchiveReader(Path file) {
    this.file = file;
  }

  /** Receives the entries in order; content that it does not read is skipped. */
  @FunctionalInterface
  interface Visitor {
    void visit(ArchiveEntry entry, Content content) throws IOException;
  }

  /** The content of one entry. */
  interface Content {
    int read(byte[] buffer) throws IOException;

    /** Returns the whole content; only for entries written by the server itself. */
    default byte[] all() throws IOException {
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

  /** Reads the whole file and returns its manifest if every byte is intact. */
  public Manifest verify() {
    return read((entry, content) -> {});
  }

  /**
   * Passes every entry except the manifests to the visitor. Callers that need an intact backup must
   * call {@link #verify} first.
   */
  Manifest read(Visitor visitor) {
    try (InputStream in = Files.newInputStream(file);
        InputStream unpacked = new GZIPInputStream(in, 64 * 1024)) {
      return new Pass(new TarInput(unpacked, true), visitor).run();
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

  private static final class Pass {
    private final TarInput tar;
    private final Visitor visitor;
    private final MessageDigest seal = ArchiveWriter.sha256();
    private final Map<String, String> checksums = new HashMap<>();

    Pass(TarInput tar, Visitor visitor) {
      this.tar = tar;
      this.visitor = visitor;
    }

    Manifest run() throws IOException {
      Optional<ArchiveEntry> first = tar.next();
      if (first.isEmpty() || !first.get().name().equals(Manifest.FIRST)) {
        throw new IOException("it is not a Trainyard backup");
      }
      Sealed header = new Sealed(first.get());
      refuseUnknown(manifest(header.all()));
      header.end();
      while (true) {
        ArchiveEntry entry = tar.next().orElseThrow(() -> new IOException("it has no manifest"));
        if (entry.name().equals(Manifest.LAST)) {
          return checked(manifest(((Content) tar::read).all()));
        }
        Sealed content = new Sealed(entry);
        visitor.visit(entry, content);
        content.end();
      }
    }

    private static Manifest manifest(byte[] json) throws IOException {
      try {
        return Json.MAPPER.readValue(json, Manifest.class);
      } catch (JsonProcessingException e) {
        throw new IOException("its manifest cannot be read", e);
      }
    }

    private static void refuseUnknown(Manifest manifest) {
      if (manifest.format() < Manifest.OLDEST_FORMAT || manifest.format() > Manifest.FORMAT) {
        throw new AppException(
            ErrorCode.CONFLICT, Message.of("error.backup-newer", "version", manifest.version()));
      }
    }

    private Manifest checked(Manifest manifest) throws IOException {
      String sealed = HexFormat.of().formatHex(seal.digest());
      if (!sealed.equals(manifest.seal())) {
        throw new IOException("its content was changed");
      }
      for (Map.Entry<String, String> listed : manifest.checksums().entrySet()) {
        if (!listed.getValue().equals(checksums.get(listed.getKey()))) {
          throw new IOException(listed.getKey() + " was changed");
        }
      }
      if (tar.next().isPresent()) {
        throw new IOException("unexpected data after its manifest");
      }
      tar.drain();
      return manifest;
    }

    /** Trees may have millions of entries and are covered by the seal only. */
    private static boolean isListed(String name) {
      return name.equals(Manifest.FIRST)
          || name.startsWith(Backup.ROWS)
          || name.startsWith(Backup.FILES);
    }

    /** Adds every byte that is read to the seal. */
    private final class Sealed implements Content {
      private final ArchiveEntry entry;
      private final MessageDigest digest = ArchiveWriter.sha256();

      Sealed(ArchiveEntry entry) {
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

      void end() throws IOException {
        byte[] rest = new byte[64 * 1024];
        int count;
        do {
          count = read(rest);
        } while (count >= 0);
        if (isListed(entry.name())) {
          checksums.put(entry.name(), HexFormat.of().formatHex(digest.digest()));
        }
      }
    }
  }
}
