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
 * Decides which responses are compressed. Lists of jobs shrink to a tenth; for them the fastest
 * level is nearly as good as the best, at a fraction of the time.
 */
public final class ResponseCompression {
  /** Minimum length of a compressed response; shorter ones fit into one network packet anyway. */
  private static final int MIN_LENGTH = 1_400;

  /**
   * Values of Sec-Fetch-Site with which responses may be compressed. The length of a compressed
   * response reveals something about its content to an attacker who can observe lengths on the
   * network and choose a part of the content. Another site could choose it through the URL it sends
   * a browser to, so responses to such requests are not compressed.
   */
  private static final Set<String> COMPRESSIBLE_SITES = Set.of("same-origin", "none");

  private ResponseCompression() {}

  /** Returns whether a client accepts this coding, by its header Accept-Encoding. */
  public static boolean accepts(String header, String coding) {
    return Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1))
        .map(acceptedCoding -> acceptedCoding.replaceAll("\\s", ""))
        .filter(
            acceptedCoding ->
                acceptedCoding.equals(coding) || acceptedCoding.startsWith(coding + ";"))
        .anyMatch(acceptedCoding -> !acceptedCoding.matches(".*;q=0(\\.0*)?"));
  }

  /** Returns whether a JSON response of this length is worth compressing, and may be. */
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
