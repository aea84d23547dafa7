package dev.trainyard.server.exec;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Requests a WebSocket byte by byte, with arbitrary headers, like a browser or an attacker. */
public record RawUpgrade(int status, String body) {
  public static RawUpgrade send(URI server, String path, Map<String, String> headers)
      throws IOException {
    StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\n");
    request.append("Host: ").append(server.getAuthority()).append("\r\n");
    request.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
    request.append("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
    headers.forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
    request.append("\r\n");
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      String head = "";
      while (!head.endsWith("\r\n\r\n")) {
        head += (char) socket.getInputStream().read();
      }
      int status = Integer.parseInt(head.split(" ", 3)[1]);
      String length = head.replaceFirst("(?is).*content-length: *(\\d+).*", "$1");
      byte[] body =
          socket.getInputStream().readNBytes(length.equals(head) ? 0 : Integer.parseInt(length));
      return new RawUpgrade(status, new String(body, StandardCharsets.UTF_8));
    }
  }
}
