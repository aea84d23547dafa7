package dev.trainyard.engine.docker;

import dev.trainyard.engine.testkit.Requirement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;

/** A real registry, from Debian's package docker-registry, on a free port. */
final class TestRegistry implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/docker-registry");

  /** Password file for alice, whose password is "secret": bcrypt with cost 4. */
  private static final String PASSWORDS =
      "alice:$2y$04$XYWqJ/9H2M3RLi2a2cI32OFM/Yc5c7.OesJyvB3S29GPWZc8NOVIK\n";

  private final Process process;
  private final int port;

  private TestRegistry(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static void requireDocker() {
    TestImages.connection();
    Requirement.require("docker", Files.isExecutable(PROGRAM), "docker-registry is not installed");
  }

  static TestRegistry start(Path directory, boolean withLogin) {
    try {
      int port = freePort();
      Path passwords = Files.writeString(directory.resolve("passwords"), PASSWORDS);
      String login = withLogin ? "auth: {htpasswd: {realm: test, path: " + passwords + "}}\n" : "";
      Path config =
          Files.writeString(
              directory.resolve("registry.yml"),
              """
              version: 0.1
              log: {level: error}
              storage: {filesystem: {rootdirectory: %s}}
              http: {addr: "0.0.0.0:%d"}
              %s\
              """
                  .formatted(directory.resolve("images"), port, login));
      Process process =
          new ProcessBuilder(PROGRAM.toString(), "serve", config.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("registry.log").toFile())
              .start();
      TestRegistry registry = new TestRegistry(process, port);
      registry.awaitResponse();
      return registry;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void awaitResponse() {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      try {
        var connection =
            (HttpURLConnection)
                URI.create("http://" + loopbackAddress() + "/v2/").toURL().openConnection();
        connection.getResponseCode();
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          throw new UncheckedIOException(e);
        }
        Thread.onSpinWait();
      }
    }
  }

  /** Returns the loopback address, for which Docker needs no TLS. */
  String loopbackAddress() {
    return "127.0.0.1:" + port;
  }

  /** Returns an address that Docker does not trust. */
  String networkAddress() {
    try {
      return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
              .findFirst()
              .orElseThrow()
              .getHostAddress()
          + ":"
          + port;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Imports an image with one file, without the library, because the library sends no body. */
  static void importImage(String reference, String text) {
    byte[] archive = createTar(text);
    String head =
        "POST /images/create?fromSrc=-&repo=%s HTTP/1.0\r\nHost: docker\r\nContent-Type: application/x-tar\r\nContent-Length: %d\r\n\r\n"
            .formatted(reference, archive.length);
    try (SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(TestImages.SOCKET))) {
      OutputStream out = Channels.newOutputStream(channel);
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(archive);
      String response =
          new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
      if (!response.contains("sha256:")) {
        throw new IOException(response);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns an archive with one text file. */
  private static byte[] createTar(String text) {
    byte[] content = text.getBytes(StandardCharsets.US_ASCII);
    byte[] header = new byte[512];
    put(header, 0, "file");
    put(header, 100, "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(content.length));
    put(header, 136, "00000000000");
    put(header, 148, "        ");
    header[156] = '0';
    put(header, 257, "ustar\00000");
    int checksum = 0;
    for (byte value : header) {
      checksum += value & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(checksum));
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    archive.writeBytes(header);
    archive.writeBytes(java.util.Arrays.copyOf(content, 512));
    archive.writeBytes(new byte[1024]);
    return archive.toByteArray();
  }

  private static void put(byte[] header, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, offset, bytes.length);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
