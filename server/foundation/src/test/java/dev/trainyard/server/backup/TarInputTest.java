package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TarInputTest {
  private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

  private void add(char kind, String content) {
    byte[] header = new byte[TarOutput.BLOCK];
    put(header, 0, "entry");
    put(header, 100, "0000600");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, String.format(Locale.ROOT, "%011o", content.length()));
    put(header, 136, "00000000000");
    header[156] = (byte) kind;
    Arrays.fill(header, 148, 156, (byte) ' ');
    put(header, 148, String.format(Locale.ROOT, "%07o", TarOutput.checksum(header)));
    archive.writeBytes(header);
    archive.writeBytes(content.getBytes(StandardCharsets.ISO_8859_1));
    archive.writeBytes(
        new byte[(TarOutput.BLOCK - content.length() % TarOutput.BLOCK) % TarOutput.BLOCK]);
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private ArchiveEntry first() throws IOException {
    return new TarInput(new ByteArrayInputStream(archive.toByteArray())).next().orElseThrow();
  }

  @Test
  void next_allKindsOfExtensions() throws IOException {
    add('g', "15 comment=abc\n");
    add('x', "12 path=a/b\n20 SCHILY.dev=12345\n");
    add('K', "target\0");
    add('0', "");
    assertThat(first().name()).isEqualTo("a/b");
    assertThat(first().target()).isEqualTo("target");
  }

  @ParameterizedTest
  @ValueSource(chars = {'x', 'g', 'L', 'K'})
  void next_endlessExtensions_rejected(char kind) {
    for (int i = 0; i < 5; i++) {
      add(kind, "12 path=a/b\n");
    }
    add('0', "");
    assertThatThrownBy(this::first)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too many");
  }

  @Test
  void next_extensionsTooLong_rejected() {
    String half = "x".repeat(600_000);
    add('L', half);
    add('K', half);
    add('0', "");
    assertThatThrownBy(this::first)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too long");
  }
}
