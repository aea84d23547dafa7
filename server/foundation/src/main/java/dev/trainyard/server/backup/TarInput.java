package dev.trainyard.server.backup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads archives that {@link TarOutput} or common tools have written, and validates all headers.
 */
public final class TarInput {
  /**
   * Maximum total length of the extension headers of one entry, in which some tools store file
   * attributes.
   */
  private static final int MAX_EXTENSION_LENGTH = 1 << 20;

  /** Maximum number of extension headers of one entry: one of each kind. */
  private static final int MAX_EXTENSIONS = 4;

  /** Keywords of extension headers that this class uses; other keywords are skipped. */
  private static final Set<String> USED_KEYWORDS =
      Set.of(
          "path",
          "linkpath",
          "size",
          "uid",
          "gid",
          "GNU.sparse.major",
          "GNU.sparse.minor",
          "GNU.sparse.name",
          "GNU.sparse.realsize");

  /**
   * Types of extension headers: for the next entry (x), for all entries (g, which is skipped), and
   * the long names of GNU tar (L and K).
   */
  private static final String EXTENSION_TYPES = "xgLK";

  private final InputStream in;
  private final boolean acceptSparse;
  private long unreadBytes;
  private int padding;

  /** Creates a reader that rejects sparse files. */
  public TarInput(InputStream in) {
    this(in, false);
  }

  /**
   * @param acceptSparse whether the caller can restore {@link SparseContent}
   */
  TarInput(InputStream in, boolean acceptSparse) {
    this.in = in;
    this.acceptSparse = acceptSparse;
  }

  /** Returns the next entry; unread content of the previous entry is skipped. */
  public Optional<ArchiveEntry> next() throws IOException {
    in.skipNBytes(unreadBytes + padding);
    unreadBytes = 0;
    padding = 0;
    Map<String, String> extension = new HashMap<>();
    long remaining = MAX_EXTENSION_LENGTH;
    for (int extensions = 0; extensions <= MAX_EXTENSIONS; extensions++) {
      byte[] header = in.readNBytes(TarOutput.BLOCK);
      if (header.length < TarOutput.BLOCK) {
        throw new EOFException("the file is truncated");
      }
      if (header[0] == 0) {
        return Optional.empty();
      }
      requireValidChecksum(header);
      long size = number(header, 124, 12);
      if (EXTENSION_TYPES.indexOf(header[156]) >= 0) {
        if (size < 0 || size > remaining) {
          throw new IOException("the name of an entry is too long");
        }
        remaining -= size;
        addExtension((char) header[156], in.readNBytes((int) size), extension);
        in.skipNBytes(padding(size));
      } else {
        return Optional.of(entry(header, extension));
      }
    }
    throw new IOException("an entry has too many headers");
  }

  private static void addExtension(char kind, byte[] content, Map<String, String> extension)
      throws IOException {
    switch (kind) {
      case 'x' -> parse(content, extension);
      case 'L' -> extension.put("path", text(content, 0, content.length));
      case 'K' -> extension.put("linkpath", text(content, 0, content.length));
      default -> {}
    }
  }

  /** Reads content of the current entry; returns -1 at its end. */
  public int read(byte[] buffer) throws IOException {
    if (unreadBytes == 0) {
      return -1;
    }
    int count = in.read(buffer, 0, (int) Math.min(buffer.length, unreadBytes));
    if (count < 0) {
      throw new EOFException("the file is truncated");
    }
    unreadBytes -= count;
    return count;
  }

  /**
   * Reads to the end of the file, so that the checksum of the compression format, which is stored
   * there, is verified.
   */
  void drain() throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  private ArchiveEntry entry(byte[] header, Map<String, String> extension) throws IOException {
    ArchiveEntry.Kind kind =
        Arrays.stream(ArchiveEntry.Kind.values())
            .filter(known -> known.flag() == (header[156] == 0 ? '0' : header[156]))
            .findFirst()
            .orElseThrow(() -> new IOException("an entry has an unknown type"));
    long size = numberOrDefault(extension, "size", number(header, 124, 12));
    if (size < 0 || (size > 0 && kind != ArchiveEntry.Kind.FILE)) {
      throw new IOException("an entry has an invalid size");
    }
    unreadBytes = size;
    padding = padding(size);
    String path = extension.getOrDefault("path", prefix(header) + text(header, 0, 100));
    ArchiveEntry entry = entry(header, extension, path, kind, size);
    return extension.containsKey("GNU.sparse.major") ? asSparseEntry(entry, extension) : entry;
  }

  private ArchiveEntry asSparseEntry(ArchiveEntry entry, Map<String, String> extension)
      throws IOException {
    String name = extension.get("GNU.sparse.name");
    long fileSize = numberOrDefault(extension, "GNU.sparse.realsize", -1);
    boolean isSupported =
        extension.get("GNU.sparse.major").equals("1")
            && "0".equals(extension.get("GNU.sparse.minor"))
            && entry.kind() == ArchiveEntry.Kind.FILE
            && name != null
            && fileSize >= 0;
    if (!acceptSparse || !isSupported) {
      throw new IOException("sparse files of this form are not supported");
    }
    return new ArchiveEntry(
            name,
            entry.kind(),
            entry.mode(),
            entry.uid(),
            entry.gid(),
            entry.size(),
            entry.modified(),
            entry.target())
        .asSparse(entry.size(), fileSize);
  }

  private static ArchiveEntry entry(
      byte[] header, Map<String, String> extension, String path, ArchiveEntry.Kind kind, long size)
      throws IOException {
    return new ArchiveEntry(
        path,
        kind,
        (int) number(header, 100, 8),
        (int) numberOrDefault(extension, "uid", number(header, 108, 8)),
        (int) numberOrDefault(extension, "gid", number(header, 116, 8)),
        size,
        number(header, 136, 12),
        extension.getOrDefault("linkpath", text(header, 157, 100)));
  }

  /**
   * Returns the first part of a name that is too long for the field of the name. The GNU format
   * does not have this prefix.
   */
  private static String prefix(byte[] header) {
    boolean hasPrefix =
        text(header, 257, 6).equals("ustar") && header[262] == 0 && header[345] != 0;
    return hasPrefix ? text(header, 345, 155) + "/" : "";
  }

  private static int padding(long size) {
    return (int) ((TarOutput.BLOCK - size % TarOutput.BLOCK) % TarOutput.BLOCK);
  }

  private static void requireValidChecksum(byte[] header) throws IOException {
    long stored = number(header, 148, 8);
    byte[] withoutChecksum = header.clone();
    Arrays.fill(withoutChecksum, 148, 156, (byte) ' ');
    if (stored != TarOutput.checksum(withoutChecksum)) {
      throw new IOException("the header of an entry is damaged");
    }
  }

  private static void parse(byte[] records, Map<String, String> target) throws IOException {
    String text = new String(records, StandardCharsets.ISO_8859_1);
    int offset = 0;
    while (offset < text.length()) {
      int space = text.indexOf(' ', offset);
      int equals = text.indexOf('=', offset);
      int end = space < 0 ? -1 : offset + (int) parse(text.substring(offset, space), 10);
      if (equals < space || end <= equals || end > text.length() || text.charAt(end - 1) != '\n') {
        throw new IOException("the header of an entry is damaged");
      }
      String key = text.substring(space + 1, equals);
      if (USED_KEYWORDS.contains(key)) {
        target.put(key, text.substring(equals + 1, end - 1));
      }
      offset = end;
    }
  }

  private static String text(byte[] header, int offset, int width) {
    int end = offset;
    while (end < offset + width && header[end] != 0) {
      end++;
    }
    return new String(header, offset, end - offset, StandardCharsets.ISO_8859_1);
  }

  private static long number(byte[] header, int offset, int width) throws IOException {
    return parse(text(header, offset, width).strip(), 8);
  }

  private static long numberOrDefault(Map<String, String> extension, String key, long defaultValue)
      throws IOException {
    String text = extension.get(key);
    return text == null ? defaultValue : parse(text, 10);
  }

  private static long parse(String digits, int radix) throws IOException {
    try {
      return Long.parseLong(digits, radix);
    } catch (NumberFormatException e) {
      throw new IOException("the header of an entry is damaged", e);
    }
  }
}
