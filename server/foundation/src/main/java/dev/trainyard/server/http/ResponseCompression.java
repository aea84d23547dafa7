package dev.trainyard.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Decides which responses are compressed, and compresses them. Lists of jobs shrink to a tenth; for
 * them the fastest level compresses nearly as well as the best level, in a fraction of the time.
 */
public final class ResponseCompression {
  /**
   * Minimum length of a response to compress; a shorter response fits into one network packet
   * anyway.
   */
  private static final int MIN_LENGTH = 1_400;

  /**
   * Values of Sec-Fetch-Site with which responses may be compressed. If an attacker can observe
   * lengths on the network and choose a part of the content, the length of a compressed response
   * reveals something about the rest. Another site could choose a part through the URL to which it
   * sends a browser, so responses to requests from other sites are not compressed.
   */
  private static final Set<String> COMPRESSIBLE_SITES = Set.of("same-origin", "none");

  private ResponseCompression() {}

  /** Returns whether a header Accept-Encoding accepts the given coding. */
  public static boolean accepts(String header, String coding) {
    return Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1))
        .map(acceptedCoding -> acceptedCoding.replaceAll("\\s", ""))
        .filter(
            acceptedCoding ->
                acceptedCoding.equals(coding) || acceptedCoding.startsWith(coding + ";"))
        .anyMatch(acceptedCoding -> !acceptedCoding.matches(".*;q=0(\\.0*)?"));
  }

  /**
   * Returns whether to compress a JSON response of this length: it is long enough, and the request
   * permits it.
   */
  static boolean shouldCompress(HttpServerRequest request, int length) {
    String site = request.getHeader("Sec-Fetch-Site");
    String accepted = request.getHeader("Accept-Encoding");
    return length >= MIN_LENGTH
        && CsrfProtection.isSafeMethod(request.method().name())
        && accepted != null
        && accepts(accepted, "gzip")
        && (site == null || COMPRESSIBLE_SITES.contains(site));
  }

  static byte[] compress(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 4);
    try (FastGzip gzip = new FastGzip(compressed)) {
      gzip.write(bytes);
    }
    return compressed.toByteArray();
  }

  private static final class FastGzip extends GZIPOutputStream {
    private static final int BUFFER_SIZE = 8 * 1024;

    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER_SIZE);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
