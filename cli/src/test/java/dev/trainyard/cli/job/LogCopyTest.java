package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Trust;
import dev.trainyard.model.AppException;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests with a server that closes connections in the middle of a response, which requires plain
 * sockets.
 */
class LogCopyTest {
  private static final LogCopy.RetryPolicy NO_PAUSE =
      new LogCopy.RetryPolicy(time -> {}, Duration.ofMillis(600));

  private final List<String> requestLines = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream copied = new ByteArrayOutputStream();
  private ServerSocket listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  /** Sends these responses to successive connections and closes each of them. */
  private void respond(String... responses) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                for (String response : responses) {
                  try (Socket socket = listener.accept()) {
                    var in =
                        new BufferedReader(
                            new InputStreamReader(
                                socket.getInputStream(), StandardCharsets.ISO_8859_1));
                    requestLines.add(in.readLine());
                    for (String line = in.readLine();
                        line != null && !line.isEmpty();
                        line = in.readLine()) {
                      // Skip the headers.
                    }
                    socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                  }
                }
                listener.close();
              } catch (IOException e) {
                // The test has finished.
              }
            });
  }

  private static String chunks(long offset, boolean complete, String... chunks) {
    StringBuilder text =
        new StringBuilder(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nX-Log-Offset: "
                + offset
                + "\r\n\r\n");
    for (String chunk : chunks) {
      text.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk).append("\r\n");
    }
    return complete ? text + "0\r\n\r\n" : text.toString();
  }

  private long copy(long offset) throws InterruptedException {
    ApiClient api =
        new ApiClient(URI.create("http://127.0.0.1:" + listener.getLocalPort()), "", Trust.DEFAULT);
    return new LogCopy(
            api, "/log?follow=true", (bytes, length) -> copied.write(bytes, 0, length), NO_PAUSE)
        .copy(offset);
  }

  @Test
  void copy_lostConnections_losesAndRepeatsNoByte() throws InterruptedException {
    respond(
        chunks(0, false, "one ", "two "),
        chunks(8, false),
        chunks(8, false, "three "),
        chunks(14, true, "four"));
    assertThat(copy(0)).isEqualTo(18);
    assertThat(copied.toString(StandardCharsets.UTF_8)).isEqualTo("one two three four");
    assertThat(requestLines.stream().map(line -> line.replaceAll(".*offset=(\\d+).*", "$1")))
        .containsExactly("0", "8", "8", "14");
  }

  @Test
  void copy_streamStartsEarlier_skipsKnownBytes() throws InterruptedException {
    respond(chunks(0, true, "one two three"));
    assertThat(copy(8)).isEqualTo(13);
    assertThat(copied.toString(StandardCharsets.UTF_8)).isEqualTo("three");
  }

  @Test
  void copy_serverPermanentlyUnreachable_givesUp() {
    respond(chunks(0, false, "one "));
    assertThatThrownBy(() -> copy(0))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("responds");
    assertThat(copied.toString(StandardCharsets.UTF_8)).isEqualTo("one ");
  }

  @Test
  void copy_unreachableAtFirst_waits() throws InterruptedException {
    respond("", "", chunks(0, true, "one"));
    assertThat(copy(0)).isEqualTo(3);
    assertThat(copied.toString(StandardCharsets.UTF_8)).isEqualTo("one");
  }

  @Test
  void copy_firstConnectionFails_doesNotRetry() {
    respond("HTTP/1.1 500 Oh\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    assertThatThrownBy(() -> copy(0)).isInstanceOf(AppException.class);
    assertThat(requestLines).hasSize(1);
  }

  @Test
  void copy_neverReachable_givesUp() throws IOException {
    listener.close();
    assertThatThrownBy(() -> copy(0)).isInstanceOf(AppException.class);
  }

  @Test
  void copy_rejected_doesNotRetry() {
    String body = "{\"code\":\"NOT_FOUND\",\"message\":\"no\"}";
    respond(
        "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
    assertThatThrownBy(() -> copy(0)).hasMessage("no");
    assertThat(requestLines).hasSize(1);
  }
}
