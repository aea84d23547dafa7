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
  private static final int MAX_PLAIN_LENGTH = 100;
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
   * <p>For a file with content, the caller must then write exactly the size of the entry with
   * {@link #writeContent}, and call {@link #endContent}.
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
            entry.isSparse() ? "GNUSparseFile.0" : truncate(entry.name()),
            entry.kind().flag(),
            entry.mode(),
            Math.min(entry.uid(), MAX_ID),
            Math.min(entry.gid(), MAX_ID),
            Math.min(entry.size(), MAX_SIZE),
            entry.modified(),
            truncate(entry.target())));
  }

  public void writeContent(byte[] bytes, int offset, int length) throws IOException {
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
    int usedBytes = (int) (size % BLOCK);
    if (usedBytes > 0) {
      out.write(new byte[BLOCK - usedBytes]);
    }
  }

  private static String truncate(String text) {
    return text.length() > MAX_PLAIN_LENGTH ? text.substring(0, MAX_PLAIN_LENGTH) : text;
  }

  /** Returns the extension header with the values that do not fit into the plain header. */
  private static byte[] extension(ArchiveEntry entry) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    if (entry.isSparse()) {
      addRecord(records, "GNU.sparse.major", "1");
      addRecord(records, "GNU.sparse.minor", "0");
      addRecord(records, "GNU.sparse.name", entry.name());
      addRecord(records, "GNU.sparse.realsize", String.valueOf(entry.sparseSize()));
    } else if (entry.name().length() > MAX_PLAIN_LENGTH || hasNonAscii(entry.name())) {
      addRecord(records, "path", entry.name());
    }
    if (entry.target().length() > MAX_PLAIN_LENGTH || hasNonAscii(entry.target())) {
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

  private static boolean hasNonAscii(String text) {
    return text.chars().anyMatch(character -> character > 0x7f);
  }

  private static void addRecord(ByteArrayOutputStream records, String key, String value) {
    String recordTail = " " + key + "=" + value + "\n";
    int length = recordTail.length() + 1;
    // The length includes its own digits.
    while (String.valueOf(length).length() + recordTail.length() != length) {
      length = String.valueOf(length).length() + recordTail.length();
    }
    records.writeBytes((length + recordTail).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] header(
      String name, char flag, int mode, long uid, long gid, long size, long time, String target) {
    byte[] header = new byte[BLOCK];
    putText(header, 0, name);
    putNumber(header, 100, 8, mode);
    putNumber(header, 108, 8, uid);
    putNumber(header, 116, 8, gid);
    putNumber(header, 124, 12, size);
    putNumber(header, 136, 12, Math.clamp(time, 0, MAX_SIZE));
    header[156] = (byte) flag;
    putText(header, 157, target);
    putText(header, 257, "ustar\00000");
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

  private static void putText(byte[] header, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, header, offset, bytes.length);
  }

  private static void putNumber(byte[] header, int offset, int width, long value) {
    putText(header, offset, String.format(Locale.ROOT, "%0" + (width - 1) + "o", value));
  }
}
