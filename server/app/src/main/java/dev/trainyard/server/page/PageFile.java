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
 * A file of the web application, in all content codings in which it was packaged. The file is read
 * at the first request. Thread-safe.
 */
final class PageFile {
  private final String resource;
  private final String type;
  private final String cacheControl;
  private final Map<ContentCoding, Optional<EncodedFile>> filesByCoding =
      new EnumMap<>(ContentCoding.class);

  /**
   * @param resource path on the class path
   * @param cacheControl value of the Cache-Control header
   */
  PageFile(String resource, String type, String cacheControl) {
    this.resource = resource;
    this.type = type;
    this.cacheControl = cacheControl;
  }

  /** Immutable bytes and their entity tag. */
  private static final class EncodedFile {
    final byte[] bytes;
    final String tag;

    EncodedFile(byte[] bytes) {
      this.bytes = bytes;
      this.tag = '"' + digest(bytes) + '"';
    }
  }

  Reply reply(Request request) {
    ContentCoding contentCoding =
        ContentCoding.preferred(request.header("Accept-Encoding").orElse(""), this::isAvailable);
    EncodedFile encodedFile = encodedFile(contentCoding).orElseThrow();
    Reply reply =
        matchesTag(request, encodedFile.tag)
            ? Reply.of(304, null)
            : Reply.of(200, encodedFile.bytes).with("Content-Type", type);
    Reply response =
        reply
            .with("ETag", encodedFile.tag)
            .with("Cache-Control", cacheControl)
            .with("Vary", "Accept-Encoding");
    return reply.status() == 304 || contentCoding == ContentCoding.IDENTITY
        ? response
        : response.with("Content-Encoding", contentCoding.label());
  }

  private boolean isAvailable(ContentCoding contentCoding) {
    return encodedFile(contentCoding).isPresent();
  }

  private synchronized Optional<EncodedFile> encodedFile(ContentCoding contentCoding) {
    return filesByCoding.computeIfAbsent(contentCoding, this::read);
  }

  private Optional<EncodedFile> read(ContentCoding contentCoding) {
    try (InputStream in =
        PageFile.class.getResourceAsStream(resource + contentCoding.fileSuffix())) {
      if (in == null) {
        return Optional.empty();
      }
      return Optional.of(new EncodedFile(in.readAllBytes()));
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

  private static boolean matchesTag(Request request, String tag) {
    return request
        .header("If-None-Match")
        .map(
            headerValue ->
                Arrays.stream(headerValue.split(",", -1))
                    .map(String::strip)
                    .anyMatch(candidate -> candidate.equals("*") || candidate.endsWith(tag)))
        .orElse(false);
  }
}
