package dev.trainyard.engine.docker;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Creates a tar archive that contains one program. */
final class SingleFileTar {
  private static final int BLOCK = 512;
  private static final int CHECKSUM = 148;
  private static final int CHECKSUM_LENGTH = 8;

  private SingleFileTar() {}

  static byte[] of(String name, byte[] program) {
    int blocks = (program.length + BLOCK - 1) / BLOCK;
    // A header, the file, and two empty blocks that mark the end.
    byte[] archive = new byte[(1 + blocks + 2) * BLOCK];
    put(archive, 0, name);
    put(archive, 100, "0000755\0");
    put(archive, 108, "0000000\0");
    put(archive, 116, "0000000\0");
    put(archive, 124, "%011o".formatted(program.length));
    put(archive, 136, "00000000000");
    put(archive, 156, "0");
    put(archive, 257, "ustar\00000");
    Arrays.fill(archive, CHECKSUM, CHECKSUM + CHECKSUM_LENGTH, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += archive[i] & 0xFF;
    }
    put(archive, CHECKSUM, "%06o\0 ".formatted(sum));
    System.arraycopy(program, 0, archive, BLOCK, program.length);
    return archive;
  }

  private static void put(byte[] archive, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, archive, at, bytes.length);
  }
}
