package dev.trainyard.cli.job;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** Server side of one WebSocket, scripted by a test frame by frame. */
final class FakeTask implements AutoCloseable {
  private final ServerSocket listening;
  private final CompletableFuture<String> request = new CompletableFuture<>();
  private DataInputStream in;
  private OutputStream out;

  /** Script of the server. */
  interface Part {
    void play(FakeTask task) throws Exception;
  }

  FakeTask(Part part) throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> serve(part));
  }

  private void serve(Part part) {
    try (Socket socket = listening.accept()) {
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readUnsignedByte());
      }
      request.complete(head.toString());
      part.play(this);
    } catch (Exception e) {
      request.completeExceptionally(e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  /** Returns the request line and headers. */
  String request() {
    return request.join();
  }

  void answer(String head, String body) throws IOException {
    out.write((head + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
  }

  void accept() throws Exception {
    String key = request().replaceFirst("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8);
    String accept =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    answer("HTTP/1.1 101 Switching\r\nsec-websocket-accept: " + accept, "");
  }

  void frame(int first, byte... payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    if (payload.length < 126) {
      frame.write(payload.length);
    } else {
      frame.write(126);
      frame.write(payload.length >> 8);
      frame.write(payload.length);
    }
    frame.writeBytes(payload);
    out.write(frame.toByteArray());
  }

  /** Sends a complete binary message. */
  void say(int channel, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[bytes.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    frame(0x82, message);
  }

  /** Returns the unmasked payload of the next client frame, preceded by its type. */
  byte[] hear() {
    try {
      int kind = in.readUnsignedByte() & 0x0F;
      int length = in.readUnsignedByte() & 0x7F;
      if (length == 126) {
        length = in.readUnsignedShort();
      }
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes(length);
      byte[] heard = new byte[length + 1];
      heard[0] = (byte) kind;
      for (int i = 0; i < length; i++) {
        heard[i + 1] = (byte) (payload[i] ^ mask[i & 3]);
      }
      return heard;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
