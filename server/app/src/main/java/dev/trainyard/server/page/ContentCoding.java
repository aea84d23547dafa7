package dev.trainyard.server.page;

import dev.trainyard.server.http.ResponseCompression;
import java.util.Arrays;
import java.util.function.Predicate;

/** The content codings of a file, ordered by the usual size of the encoded file, smallest first. */
enum ContentCoding {
  BROTLI("br", ".br"),
  GZIP("gzip", ".gz"),
  IDENTITY("identity", "");

  private final String label;
  private final String fileSuffix;

  ContentCoding(String label, String ending) {
    this.label = label;
    this.fileSuffix = ending;
  }

  /** Returns the name in HTTP. */
  String label() {
    return label;
  }

  /** Returns the suffix of the compressed file's name. */
  String fileSuffix() {
    return fileSuffix;
  }

  /** Returns the smallest available coding that the client accepts. */
  static ContentCoding preferred(String acceptEncoding, Predicate<ContentCoding> isAvailable) {
    return Arrays.stream(values())
        .filter(
            coding ->
                coding == IDENTITY || ResponseCompression.accepts(acceptEncoding, coding.label))
        .filter(isAvailable)
        .findFirst()
        .orElseThrow();
  }
}
