package dev.trainyard.server.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A response with explicit status, headers and body, for endpoints that do not return JSON with
 * status 200.
 *
 * @param body null for no body; a {@link Stream} is written in pieces; text and bytes are sent
 *     unchanged with the content type of the headers; any other value is converted to JSON
 * @param cookies values of Set-Cookie
 */
public record Reply(int status, Map<String, String> headers, Object body, List<String> cookies) {
  /** A body written in pieces. */
  @FunctionalInterface
  public interface Stream {
    void writeTo(Sink sink) throws IOException;
  }

  /** Receives the pieces of a stream; blocks while the client is slow. */
  public interface Sink {
    /** Writes and flushes the bytes; throws IOException if the client has disconnected. */
    void write(byte[] bytes, int offset, int length) throws IOException;

    /**
     * Returns whether the client has disconnected or the server is stopping; for streams that
     * currently have no data. If this method has returned true because the server is stopping, the
     * stream counts as interrupted, not as complete.
     */
    boolean closed();
  }

  public Reply {
    headers = Map.copyOf(headers);
    cookies = List.copyOf(cookies);
  }

  public Reply(int status, Map<String, String> headers, Object body) {
    this(status, headers, body, List.of());
  }

  public static Reply of(int status, Object body) {
    return new Reply(status, Map.of(), body);
  }

  public static Reply noContent() {
    return of(204, null);
  }

  public Reply with(String header, String value) {
    Map<String, String> extended = new LinkedHashMap<>(headers);
    extended.put(header, value);
    return new Reply(status, extended, body, cookies);
  }

  public Reply withCookie(String cookie) {
    List<String> extended = new ArrayList<>(cookies);
    extended.add(cookie);
    return new Reply(status, headers, body, extended);
  }
}
