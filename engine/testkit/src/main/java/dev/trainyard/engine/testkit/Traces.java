package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches files, processes and bytes for the value of a secret: as plain text, in hexadecimal,
 * URL-encoded, and in Base64 at any offset within a longer text.
 */
public final class Traces {
  private final Set<String> encodedForms = new LinkedHashSet<>();

  private Traces(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    encodedForms.add(value);
    encodedForms.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
    encodedForms.add(java.util.HexFormat.of().formatHex(bytes));
    for (int offset = 0; offset < 3; offset++) {
      byte[] shifted = new byte[offset + bytes.length];
      System.arraycopy(bytes, 0, shifted, offset, bytes.length);
      String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
      // The first and the last characters depend on the neighboring bytes.
      int start = offset == 0 ? 0 : offset + 1;
      encodedForms.add(encoded.substring(start, encoded.length() - 2));
    }
  }

  /**
   * @param value value of the secret, long enough that it does not occur by chance
   */
  public static Traces of(String value) {
    assertThat(value.length()).isGreaterThan(11);
    return new Traces(value);
  }

  /** Returns whether these bytes contain any form of the secret. */
  public boolean isIn(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return encodedForms.stream().anyMatch(text::contains);
  }

  public void assertNotIn(String location, byte[] bytes) {
    assertThat(isIn(bytes)).as("the secret is in " + location).isFalse();
  }

  /**
   * Asserts that no file below the directory contains the secret in its contents or name. Files
   * that disappear during the search are ignored.
   */
  public Traces assertNoneIn(Path directory) {
    List<Path> matchingFiles = new ArrayList<>();
    search(directory, matchingFiles);
    assertThat(matchingFiles).as("files with the secret").isEmpty();
    return this;
  }

  private void search(Path directory, List<Path> matchingFiles) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          search(entry, matchingFiles);
        } else if (isIn(entry.toString().getBytes(StandardCharsets.UTF_8))
            || (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) && isIn(readBytes(entry)))) {
          matchingFiles.add(entry);
        }
      }
    } catch (IOException e) {
      if (Files.isReadable(directory)) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Asserts that no command line or environment of a process on the host, as far as readable,
   * contains the secret.
   */
  public Traces assertNoneInProcesses() {
    List<Path> matchingFiles = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        for (String file : List.of("cmdline", "environ")) {
          if (isIn(readBytes(process.resolve(file)))) {
            matchingFiles.add(process.resolve(file));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(matchingFiles).as("processes that show the secret").isEmpty();
    return this;
  }

  private static byte[] readBytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
