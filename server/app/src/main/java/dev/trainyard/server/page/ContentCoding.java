package dev.trainyard.server.page;

import dev.trainyard.server.http.ResponseCompression;
import java.util.Arrays;
import java.util.function.Predicate;

/** How a file is packed, the smallest first. */
enum ContentCoding {
  BROTLI("br", ".br"),
  GZIP("gzip", ".gz"),
  IDENTITY("identity", "");

  private final String label;
  private final String ending;

  ContentCoding(String label, String ending) {
    this.label = label;
    this.ending = ending;
  }

  /** As HTTP calls it. */
  String label() {
    return label;
  }

  /** Of the packed file's name. */
  String ending() {
    return ending;
  }

  /** The smallest that the client takes and that is there. */
  static ContentCoding preferred(String accepted, Predicate<ContentCoding> there) {
    return Arrays.stream(values())
        .filter(coding -> coding == IDENTITY || ResponseCompression.accepts(accepted, coding.label))
        .filter(there)
        .findFirst()
        .orElseThrow();
  }
}
