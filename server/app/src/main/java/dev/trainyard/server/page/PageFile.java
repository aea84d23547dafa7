package dev.trainyard.server.page;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A file of the web application, in the codings in which it was packaged. Read at the first
 * request. Thread-safe.
 */
final class PageFile {
  private final String resource;
  private final String type;
  private final String caching;
  private final Map<ContentCoding, Optional<Packed>> read = new EnumMap<>(ContentCoding.class);

  /**
   * @param resource path on the class path
   * @param caching value of the Cache-Control header
   */
  PageFile(String resource, String type, String caching) {
    this.resource = resource;
    this.type = type;
    this.caching = caching;
  }

  /** Immutable bytes and their entity tag. */
  private static final class Packed {
    final byte[] bytes;
    final String tag;

    Packed(byte[] bytes) {
      this.bytes = bytes;
      this.tag = '"' + digest(bytes) + '"';
    }
  }

  Reply reply(Request request) {
    ContentCoding contentCoding =
        ContentCoding.preferred(request.header("Accept-Encoding").orElse(""), this::isPacked);
    Packed packed = packed(contentCoding).orElseThrow();
    Reply reply =
        isKnown(request, packed.tag)
            ? Reply.of(304, null)
            : Reply.of(200, packed.bytes).with("Content-Type", type);
    Reply response =
        reply
            .with("ETag", packed.tag)
            .with("Cache-Control", caching)
            .with("Vary", "Accept-Encoding");
    return reply.status() == 304 || contentCoding == ContentCoding.IDENTITY
        ? response
        : response.with("Content-Encoding", contentCoding.label());
  }

  private boolean isPacked(ContentCoding contentCoding) {
    return packed(contentCoding).isPresent();
  }

  private synchronized Optional<Packed> packed(ContentCoding contentCoding) {
    return read.computeIfAbsent(contentCoding, this::read);
  }

  private Optional<Packed> read(ContentCoding contentCoding) {
    try (InputStream in = PageFile.class.getResourceAsStream(resource + contentCoding.ending())) {
      if (in == null) {
        return Optional.empty();
      }
      return Optional.of(new Packed(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isKnown(Request request, String tag) {
    return request
        .header("If-None-Match")
        .map(
            given ->
                Arrays.stream(given.split(",", -1))
                    .map(String::strip)
                    .anyMatch(known -> known.equals("*") || known.endsWith(tag)))
        .orElse(false);
  }
}
