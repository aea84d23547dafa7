package dev.trainyard.cli.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** The HTTP request that upgrades a connection to a WebSocket. */
final class WebSocketHandshake {
  private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int MAX_ERROR_SIZE = 1 << 20;

  private final URI address;
  private final String token;
  private final String key;

  WebSocketHandshake(URI address, String token) {
    this.address = address;
    this.token = token;
    byte[] random = new byte[16];
    ThreadLocalRandom.current().nextBytes(random);
    this.key = WebSocket.base64(random);
  }

  /** Performs the handshake; returns when the connection is a WebSocket. */
  void perform(InputStream in, OutputStream out) throws IOException {
    StringBuilder request = new StringBuilder();
    request.append("GET ").append(address.getRawPath());
    if (address.getRawQuery() != null) {
      request.append('?').append(address.getRawQuery());
    }
    request.append(" HTTP/1.1\r\nHost: ").append(address.getAuthority());
    request.append("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13");
    request.append("\r\nAccept: application/json\r\nSec-WebSocket-Key: ").append(key);
    if (!token.isEmpty()) {
      request.append("\r\nAuthorization: Bearer ").append(token);
    }
    request.append("\r\n\r\n");
    out.write(request.toString().getBytes(StandardCharsets.US_ASCII));
    out.flush();
    readResponse(in);
  }

  private void readResponse(InputStream in) throws IOException {
    String statusLine = WebSocket.readLine(in);
    String[] statusWords = statusLine.split(" ", 3);
    if (statusWords.length < 2
        || !statusWords[0].startsWith("HTTP/1.")
        || !statusWords[1].matches("\\d{3}")) {
      throw new IOException("the response is not HTTP");
    }
    int status = Integer.parseInt(statusWords[1]);
    int length = 0;
    String acceptHeader = "";
    for (String line = WebSocket.readLine(in); !line.isEmpty(); line = WebSocket.readLine(in)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      if (name.equals("content-length") && value.matches("\\d{1,9}")) {
        length = Math.min(MAX_ERROR_SIZE, Integer.parseInt(value));
      } else if (name.equals("sec-websocket-accept")) {
        acceptHeader = value;
      }
    }
    if (status != SWITCHING_PROTOCOLS) {
      throw ApiError.of(status, in.readNBytes(length));
    }
    if (!acceptHeader.equals(expectedAccept())) {
      throw new IOException("the header Sec-WebSocket-Accept does not match the request");
    }
  }

  private String expectedAccept() {
    try {
      byte[] text = (key + ACCEPT_SUFFIX).getBytes(StandardCharsets.US_ASCII);
      return WebSocket.base64(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
