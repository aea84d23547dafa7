package dev.trainyard.engine.docker;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Creates a tar archive that contains one executable file. */
final class SingleFileTar {
  private static final int BLOCK_BYTES = 512;
  private static final int CHECKSUM_OFFSET = 148;
  private static final int CHECKSUM_LENGTH = 8;

  private SingleFileTar() {}

  static byte[] of(String name, byte[] content) {
    int blocks = (content.length + BLOCK_BYTES - 1) / BLOCK_BYTES;
    // The archive consists of a header, the file, and two empty blocks that mark the end.
    byte[] archive = new byte[(1 + blocks + 2) * BLOCK_BYTES];
    put(archive, 0, name);
    put(archive, 100, "0000755\0");
    put(archive, 108, "0000000\0");
    put(archive, 116, "0000000\0");
    put(archive, 124, "%011o".formatted(content.length));
    put(archive, 136, "00000000000");
    put(archive, 156, "0");
    put(archive, 257, "ustar\00000");
    Arrays.fill(archive, CHECKSUM_OFFSET, CHECKSUM_OFFSET + CHECKSUM_LENGTH, (byte) ' ');
    int checksum = 0;
    for (int i = 0; i < BLOCK_BYTES; i++) {
      checksum += archive[i] & 0xFF;
    }
    put(archive, CHECKSUM_OFFSET, "%06o\0 ".formatted(checksum));
    System.arraycopy(content, 0, archive, BLOCK_BYTES, content.length);
    return archive;
  }

  private static void put(byte[] archive, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, archive, offset, bytes.length);
  }
}
