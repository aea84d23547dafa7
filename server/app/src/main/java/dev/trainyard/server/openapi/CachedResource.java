package dev.trainyard.server.openapi;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * A resource that is the same for all callers and does not change while the server runs. It is
 * created at the first request. Clients cache the resource and revalidate it before each use.
 * Thread-safe.
 */
final class CachedResource {
  private final String type;
  private final Supplier<byte[]> source;
  private byte[] bytes;
  private String tag;

  CachedResource(String type, Supplier<byte[]> source) {
    this.type = type;
    this.source = source;
  }

  private void create() {
    if (bytes == null) {
      bytes = source.get();
      tag = '"' + digest(bytes) + '"';
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

  synchronized Reply reply(Request request) {
    create();
    Reply reply =
        matchesTag(request, tag)
            ? Reply.of(304, null)
            : Reply.of(200, bytes).with("Content-Type", type);
    return reply.with("ETag", tag).with("Cache-Control", "no-cache");
  }

  private static boolean matchesTag(Request request, String tag) {
    return request
        .header("If-None-Match")
        .map(
            header ->
                Arrays.stream(header.split(",", -1))
                    .map(String::strip)
                    .anyMatch(candidate -> candidate.equals("*") || candidate.endsWith(tag)))
        .orElse(false);
  }
}
