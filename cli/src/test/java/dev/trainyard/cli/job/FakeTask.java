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
  private final ServerSocket serverSocket;
  private final CompletableFuture<String> request = new CompletableFuture<>();
  private DataInputStream in;
  private OutputStream out;

  /** Actions of the server on the connection. */
  interface Script {
    void run(FakeTask task) throws Exception;
  }

  FakeTask(Script script) throws IOException {
    serverSocket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> serve(script));
  }

  private void serve(Script script) {
    try (Socket socket = serverSocket.accept()) {
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
      StringBuilder header = new StringBuilder();
      while (header.indexOf("\r\n\r\n") < 0) {
        header.append((char) in.readUnsignedByte());
      }
      request.complete(header.toString());
      script.run(this);
    } catch (Exception e) {
      request.completeExceptionally(e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + serverSocket.getLocalPort();
  }

  /** Returns the request line and headers. */
  String request() {
    return request.join();
  }

  void respond(String header, String body) throws IOException {
    out.write((header + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
  }

  void accept() throws Exception {
    String key = request().replaceFirst("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8);
    String accept =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    respond("HTTP/1.1 101 Switching\r\nsec-websocket-accept: " + accept, "");
  }

  void frame(int firstByte, byte... payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(firstByte);
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
  void send(int channel, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[bytes.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    frame(0x82, message);
  }

  /** Returns the unmasked payload of the next client frame, preceded by its type. */
  byte[] receive() {
    try {
      int opcode = in.readUnsignedByte() & 0x0F;
      int length = in.readUnsignedByte() & 0x7F;
      if (length == 126) {
        length = in.readUnsignedShort();
      }
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes(length);
      byte[] message = new byte[length + 1];
      message[0] = (byte) opcode;
      for (int i = 0; i < length; i++) {
        message[i + 1] = (byte) (payload[i] ^ mask[i & 3]);
      }
      return message;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    serverSocket.close();
  }
}
