package dev.trainyard.server.exec;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The JDK's WebSocket client, which shares no code with the server's implementation. */
final class ExecClient implements WebSocket.Listener, AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, ByteArrayOutputStream> channels = new ConcurrentHashMap<>();
  private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final boolean reads;
  final WebSocket socket;

  ExecClient(URI server, String path, boolean reads, String... headers) {
    this.reads = reads;
    WebSocket.Builder builder = http.newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    URI address = URI.create(server.toString().replaceFirst("^http", "ws") + path);
    socket = builder.buildAsync(address, this).join();
  }

  @Override
  public void onOpen(WebSocket opened) {
    if (reads) {
      opened.request(Long.MAX_VALUE);
    }
  }

  @Override
  public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
    while (data.hasRemaining()) {
      partial.write(data.get());
    }
    if (last) {
      byte[] message = partial.toByteArray();
      partial.reset();
      channels
          .computeIfAbsent(message[0] & 0xFF, channel -> new ByteArrayOutputStream())
          .write(message, 1, message.length - 1);
    }
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closed.complete(code);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    closed.complete(1006);
  }

  String received(int channel) {
    ByteArrayOutputStream bytes = channels.get(channel);
    return bytes == null ? "" : bytes.toString(StandardCharsets.UTF_8);
  }

  void send(int channel, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer message = ByteBuffer.allocate(bytes.length + 1).put((byte) channel).put(bytes);
    socket.sendBinary(message.flip(), true).join();
  }

  void send(byte... message) {
    socket.sendBinary(ByteBuffer.wrap(message), true).join();
  }

  /** Returns the code with which the server closed the connection. */
  int awaitClose() {
    return closed.join();
  }

  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
  }
}
