package dev.trainyard.server.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An answer that is more than JSON with status 200.
 *
 * @param body null for none; a {@link Stream} writes as long as it likes; text and bytes go out as
 *     they are with the content type of the headers; everything else becomes JSON
 * @param cookies values of Set-Cookie
 */
public record Reply(int status, Map<String, String> headers, Object body, List<String> cookies) {
  /** A body written piece by piece. */
  @FunctionalInterface
  public interface Stream {
    void writeTo(Sink sink) throws IOException;
  }

  /** Where a stream writes to; blocks while the client is slow. */
  public interface Sink {
    /** Writes and flushes; throws IOException when the client has gone. */
    void write(byte[] bytes, int offset, int length) throws IOException;

    /**
     * Whether the client has gone or the server ends, for streams that have nothing to say at the
     * moment. A stream that was told so counts as broken off, not as complete.
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
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Reply(status, more, body, cookies);
  }

  public Reply withCookie(String cookie) {
    List<String> more = new ArrayList<>(cookies);
    more.add(cookie);
    return new Reply(status, headers, body, more);
  }
}
