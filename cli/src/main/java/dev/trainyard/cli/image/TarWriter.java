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
  private static final int BLOCK_SIZE = 512;
  private static final int MAX_NAME_LENGTH = 100;
  private static final long MAX_SIZE_IN_HEADER = 077777777777L;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  /** Adds a directory, file or symbolic link; returns the size of its content in bytes. */
  long add(String name, Path path) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    int mode = 0;
    PosixFilePermission[] permissions = PosixFilePermission.values();
    for (int i = 0; i < permissions.length; i++) {
      mode |= attributes.permissions().contains(permissions[i]) ? 0400 >> i : 0;
    }
    long modifiedSeconds = Math.max(0, attributes.lastModifiedTime().toMillis() / 1000);
    if (attributes.isSymbolicLink()) {
      String target = Files.readSymbolicLink(path).toString();
      writeHeader(name, '2', mode, 0, modifiedSeconds, target);
      return 0;
    }
    if (attributes.isDirectory()) {
      writeHeader(name + "/", '5', mode, 0, modifiedSeconds, "");
      return 0;
    }
    writeHeader(name, '0', mode, attributes.size(), modifiedSeconds, "");
    writeContent(path, attributes.size());
    return attributes.size();
  }

  /** Writes exactly the announced number of bytes, even if the file changes in the meantime. */
  private void writeContent(Path path, long size) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long remaining = size;
    try (InputStream in = Files.newInputStream(path)) {
      while (remaining > 0) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, remaining));
        if (count < 0) {
          throw new IOException(path + " became shorter while it was sent");
        }
        out.write(buffer, 0, count);
        remaining -= count;
      }
    }
    pad(size);
  }

  private void pad(long size) throws IOException {
    out.write(new byte[(int) ((BLOCK_SIZE - size % BLOCK_SIZE) % BLOCK_SIZE)]);
  }

  private void writeHeader(
      String name, char type, int mode, long size, long modifiedSeconds, String target)
      throws IOException {
    StringBuilder extension = new StringBuilder();
    if (bytes(name).length > MAX_NAME_LENGTH) {
      extension.append(extendedRecord("path", name));
    }
    if (bytes(target).length > MAX_NAME_LENGTH) {
      extension.append(extendedRecord("linkpath", target));
    }
    if (size > MAX_SIZE_IN_HEADER) {
      extension.append(extendedRecord("size", Long.toString(size)));
    }
    if (!extension.isEmpty()) {
      byte[] content = bytes(extension.toString());
      out.write(headerBlock("./PaxHeaders", 'x', 0644, content.length, modifiedSeconds, ""));
      out.write(content);
      pad(content.length);
    }
    out.write(
        headerBlock(name, type, mode, Math.min(size, MAX_SIZE_IN_HEADER), modifiedSeconds, target));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns an extended header record, which starts with its own length in bytes. */
  private static String extendedRecord(String key, String value) {
    int unprefixedLength = bytes(" " + key + "=" + value + "\n").length;
    int length = unprefixedLength + Integer.toString(unprefixedLength).length();
    length = unprefixedLength + Integer.toString(length).length();
    return length + " " + key + "=" + value + "\n";
  }

  private static byte[] headerBlock(
      String name, char type, int mode, long size, long modifiedSeconds, String target) {
    byte[] block = new byte[BLOCK_SIZE];
    put(block, 0, MAX_NAME_LENGTH, bytes(name));
    put(block, 100, 8, bytes("%07o".formatted(mode)));
    put(block, 108, 8, bytes("0000000"));
    put(block, 116, 8, bytes("0000000"));
    put(block, 124, 12, bytes("%011o".formatted(size)));
    put(block, 136, 12, bytes("%011o".formatted(modifiedSeconds)));
    Arrays.fill(block, 148, 156, (byte) ' ');
    block[156] = (byte) type;
    put(block, 157, MAX_NAME_LENGTH, bytes(target));
    put(block, 257, 8, bytes("ustar\00000"));
    int sum = 0;
    for (byte value : block) {
      sum += value & 0xFF;
    }
    put(block, 148, 8, bytes("%06o\0 ".formatted(sum)));
    return block;
  }

  private static void put(byte[] block, int offset, int width, byte[] text) {
    System.arraycopy(text, 0, block, offset, Math.min(width, text.length));
  }

  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK_SIZE]);
    out.close();
  }
}
