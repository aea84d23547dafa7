package dev.trainyard.server.backup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Writes the POSIX tar format, so that any tar program can read a backup. */
public final class TarOutput {
  static final int BLOCK = 512;
  private static final int SHORT_TEXT = 100;
  private static final long MAX_SIZE = (1L << 33) - 1;
  private static final long MAX_ID = (1L << 21) - 1;

  private final OutputStream out;

  public TarOutput(OutputStream out) {
    this.out = out;
  }

  /**
   * Starts an entry. A sparse file is written in GNU tar's PAX format 1.0, which GNU tar, bsdtar
   * and Python read.
   *
   * <p>After the header of a file with content, callers call {@link #content} for exactly its size.
   */
  public void begin(ArchiveEntry entry) throws IOException {
    byte[] extension = extension(entry);
    if (extension.length > 0) {
      out.write(header("extension", 'x', 0600, 0, 0, extension.length, 0, ""));
      out.write(extension);
      pad(extension.length);
    }
    out.write(
        header(
            entry.isSparse() ? "GNUSparseFile.0" : cut(entry.name()),
            entry.kind().flag(),
            entry.mode(),
            Math.min(entry.uid(), MAX_ID),
            Math.min(entry.gid(), MAX_ID),
            Math.min(entry.size(), MAX_SIZE),
            entry.modified(),
            cut(entry.target())));
  }

  public void content(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  public void endContent(long size) throws IOException {
    pad(size);
  }

  public void finish() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }

  private void pad(long size) throws IOException {
    int over = (int) (size % BLOCK);
    if (over > 0) {
      out.write(new byte[BLOCK - over]);
    }
  }

  private static String cut(String text) {
    return text.length() > SHORT_TEXT ? text.substring(0, SHORT_TEXT) : text;
  }

  /** Returns the extension header with the values that do not fit into the plain header. */
  private static byte[] extension(ArchiveEntry entry) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    if (entry.isSparse()) {
      addRecord(records, "GNU.sparse.major", "1");
      addRecord(records, "GNU.sparse.minor", "0");
      addRecord(records, "GNU.sparse.name", entry.name());
      addRecord(records, "GNU.sparse.realsize", String.valueOf(entry.sparseSize()));
    } else if (entry.name().length() > SHORT_TEXT || isWide(entry.name())) {
      addRecord(records, "path", entry.name());
    }
    if (entry.target().length() > SHORT_TEXT || isWide(entry.target())) {
      addRecord(records, "linkpath", entry.target());
    }
    if (entry.size() > MAX_SIZE) {
      addRecord(records, "size", String.valueOf(entry.size()));
    }
    if (entry.uid() > MAX_ID || entry.gid() > MAX_ID) {
      addRecord(records, "uid", String.valueOf(entry.uid()));
      addRecord(records, "gid", String.valueOf(entry.gid()));
    }
    return records.toByteArray();
  }

  private static boolean isWide(String text) {
    return text.chars().anyMatch(character -> character > 0x7f);
  }

  private static void addRecord(ByteArrayOutputStream records, String key, String value) {
    String rest = " " + key + "=" + value + "\n";
    int length = rest.length() + 1;
    // The length includes its own digits.
    while (String.valueOf(length).length() + rest.length() != length) {
      length = String.valueOf(length).length() + rest.length();
    }
    records.writeBytes((length + rest).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] header(
      String name, char flag, int mode, long uid, long gid, long size, long time, String target) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    putNumber(header, 100, 8, mode);
    putNumber(header, 108, 8, uid);
    putNumber(header, 116, 8, gid);
    putNumber(header, 124, 12, size);
    putNumber(header, 136, 12, Math.clamp(time, 0, MAX_SIZE));
    header[156] = (byte) flag;
    put(header, 157, target);
    put(header, 257, "ustar\00000");
    Arrays.fill(header, 148, 156, (byte) ' ');
    putNumber(header, 148, 8, checksum(header));
    return header;
  }

  static int checksum(byte[] header) {
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    return sum;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static void putNumber(byte[] header, int at, int width, long value) {
    put(header, at, String.format(Locale.ROOT, "%0" + (width - 1) + "o", value));
  }
}
