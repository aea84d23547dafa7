package dev.trainyard.cli.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;

/** Writes directories, files and links in POSIX tar format with extended headers. */
final class TarWriter implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final long LARGEST = 077777777777L;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  /** Returns the size of its content in bytes. */
  long add(String name, Path path) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    int mode = 0;
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int i = 0; i < all.length; i++) {
      mode |= attributes.permissions().contains(all[i]) ? 0400 >> i : 0;
    }
    long modified = Math.max(0, attributes.lastModifiedTime().toMillis() / 1000);
    if (attributes.isSymbolicLink()) {
      String target = Files.readSymbolicLink(path).toString();
      header(name, '2', mode, 0, modified, target);
      return 0;
    }
    if (attributes.isDirectory()) {
      header(name + "/", '5', mode, 0, modified, "");
      return 0;
    }
    header(name, '0', mode, attributes.size(), modified, "");
    content(path, attributes.size());
    return attributes.size();
  }

  /** Writes exactly the announced number of bytes, even if the file changes in the meantime. */
  private void content(Path path, long size) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = size;
    try (InputStream in = Files.newInputStream(path)) {
      while (left > 0) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (count < 0) {
          throw new IOException(path + " became shorter while it was sent");
        }
        out.write(buffer, 0, count);
        left -= count;
      }
    }
    pad(size);
  }

  private void pad(long size) throws IOException {
    out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }

  private void header(String name, char kind, int mode, long size, long modified, String target)
      throws IOException {
    StringBuilder extension = new StringBuilder();
    if (bytes(name).length > NAME) {
      extension.append(record("path", name));
    }
    if (bytes(target).length > NAME) {
      extension.append(record("linkpath", target));
    }
    if (size > LARGEST) {
      extension.append(record("size", Long.toString(size)));
    }
    if (!extension.isEmpty()) {
      byte[] content = bytes(extension.toString());
      out.write(block("./PaxHeaders", 'x', 0644, content.length, modified, ""));
      out.write(content);
      pad(content.length);
    }
    out.write(block(name, kind, mode, Math.min(size, LARGEST), modified, target));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns an extended header record, which starts with its own length in bytes. */
  private static String record(String key, String value) {
    int rest = bytes(" " + key + "=" + value + "\n").length;
    int length = rest + Integer.toString(rest).length();
    length = rest + Integer.toString(length).length();
    return length + " " + key + "=" + value + "\n";
  }

  private static byte[] block(
      String name, char kind, int mode, long size, long modified, String target) {
    byte[] block = new byte[BLOCK];
    put(block, 0, NAME, bytes(name));
    put(block, 100, 8, bytes("%07o".formatted(mode)));
    put(block, 108, 8, bytes("0000000"));
    put(block, 116, 8, bytes("0000000"));
    put(block, 124, 12, bytes("%011o".formatted(size)));
    put(block, 136, 12, bytes("%011o".formatted(modified)));
    Arrays.fill(block, 148, 156, (byte) ' ');
    block[156] = (byte) kind;
    put(block, 157, NAME, bytes(target));
    put(block, 257, 8, bytes("ustar\00000"));
    int sum = 0;
    for (byte one : block) {
      sum += one & 0xFF;
    }
    put(block, 148, 8, bytes("%06o\0 ".formatted(sum)));
    return block;
  }

  private static void put(byte[] block, int at, int width, byte[] text) {
    System.arraycopy(text, 0, block, at, Math.min(width, text.length));
  }

  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
  }
}
