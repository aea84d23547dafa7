package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Client for WebSockets (RFC 6455) with the features that the Trainyard server needs. Java's own
 * client is part of HttpClient, which would take longer to start than the rest of a command. One
 * thread may receive while others send.
 */
public final class WebSocket implements AutoCloseable {
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int FINAL_BIT = 0x80;
  private static final int MASK_BIT = 0x80;
  private static final int MAX_FRAME_SIZE = 1 << 20;
  private static final int BUFFER_SIZE = 64 * 1024;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private String closeReason = "";

  private WebSocket(Socket socket, InputStream in) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(in);
    this.out = socket.getOutputStream();
  }

  /**
   * Connects; an error response of the server is thrown as an exception.
   *
   * @param address URL with the scheme http or https
   */
  static WebSocket connect(URI address, String token, Trust trust, int timeoutMillis)
      throws IOException {
    Socket socket = openSocket(address, trust, timeoutMillis);
    try {
      InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER_SIZE);
      socket.setSoTimeout(timeoutMillis);
      new WebSocketHandshake(address, token).perform(in, socket.getOutputStream());
      socket.setSoTimeout(0);
      return new WebSocket(socket, in);
    } catch (IOException | AppException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket openSocket(URI address, Trust trust, int timeoutMillis) throws IOException {
    boolean secure = address.getScheme().equals("https");
    int port = address.getPort() >= 0 ? address.getPort() : secure ? 443 : 80;
    String host = address.getHost().replaceAll("^\\[|]$", "");
    Socket tcpSocket = new Socket();
    try {
      tcpSocket.connect(new InetSocketAddress(host, port), timeoutMillis);
      tcpSocket.setTcpNoDelay(true);
      tcpSocket.setKeepAlive(true);
      return secure ? startTls(tcpSocket, host, port, trust) : tcpSocket;
    } catch (IOException e) {
      tcpSocket.close();
      throw e;
    }
  }

  private static Socket startTls(Socket tcpSocket, String host, int port, Trust trust)
      throws IOException {
    SSLSocketFactory factory =
        trust
            .context()
            .map(context -> context.getSocketFactory())
            .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    SSLSocket secure = (SSLSocket) factory.createSocket(tcpSocket, host, port, true);
    if (trust.verifiesHostName()) {
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
    }
    secure.startHandshake();
    return secure;
  }

  /** Sends one message; blocks until the server reads if the buffers are full. */
  public void send(byte[] message) throws IOException {
    sendFrame(BINARY, message);
  }

  /** Returns the next message; empty after the server has closed the connection. */
  public Optional<byte[]> receive() throws IOException {
    byte[] message = new byte[0];
    while (true) {
      int firstByte = in.readUnsignedByte();
      byte[] payload = readPayload();
      switch (firstByte & 0x0F) {
        case PING -> sendFrame(PONG, payload);
        case PONG -> {}
        case CLOSE -> {
          closeReason =
              payload.length > 2
                  ? new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8)
                  : "";
          return Optional.empty();
        }
        default -> {
          int previousLength = message.length;
          message = Arrays.copyOf(message, previousLength + payload.length);
          System.arraycopy(payload, 0, message, previousLength, payload.length);
          if ((firstByte & FINAL_BIT) != 0) {
            return Optional.of(message);
          }
        }
      }
    }
  }

  /** Returns the close reason sent by the server. */
  public String closeReason() {
    return closeReason;
  }

  private byte[] readPayload() throws IOException {
    long length = in.readUnsignedByte() & ~MASK_BIT;
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = in.readLong();
    }
    if (length < 0 || length > MAX_FRAME_SIZE) {
      throw new IOException("frame too large: " + length + " bytes");
    }
    byte[] payload = new byte[(int) length];
    in.readFully(payload);
    return payload;
  }

  private synchronized void sendFrame(int opcode, byte[] payload) throws IOException {
    int lengthBytes = payload.length < 126 ? 0 : payload.length <= 0xFFFF ? 2 : 8;
    byte[] frame = new byte[2 + lengthBytes + 4 + payload.length];
    frame[0] = (byte) (FINAL_BIT | opcode);
    frame[1] =
        (byte) (MASK_BIT | (lengthBytes == 0 ? payload.length : lengthBytes == 2 ? 126 : 127));
    for (int i = 0; i < lengthBytes; i++) {
      frame[2 + i] = (byte) ((long) payload.length >>> (8 * (lengthBytes - 1 - i)));
    }
    // The mask need not be unpredictable here: an unpredictable mask only prevents web pages from
    // choosing the bytes that a proxy sees.
    int mask = ThreadLocalRandom.current().nextInt();
    int maskOffset = 2 + lengthBytes;
    for (int i = 0; i < 4; i++) {
      frame[maskOffset + i] = (byte) (mask >>> (8 * i));
    }
    for (int i = 0; i < payload.length; i++) {
      frame[maskOffset + 4 + i] = (byte) (payload[i] ^ frame[maskOffset + (i & 3)]);
    }
    out.write(frame);
    out.flush();
  }

  /** Closes the connection immediately; a concurrent send in another thread fails. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is being closed; the error is irrelevant.
    }
  }

  static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > BUFFER_SIZE) {
        throw new EOFException("the server closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
