package dev.trainyard.cli.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a server whose certificate is self-signed and names another host. */
class ApiTlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir private Path home;
  private HttpsServer server;
  private String fingerprint;
  private Path data;

  @BeforeEach
  void start() throws IOException, InterruptedException, GeneralSecurityException {
    KeyStore keyStore = selfSigned();
    fingerprint = SingleCertificate.fingerprint((X509Certificate) keyStore.getCertificate("it"));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(keyStore, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    server = HttpsServer.create(loopback(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/", exchange -> FakeServer.reply(exchange, 200, "{\"user\":\"alice\",\"admin\":true}"));
    server.start();
    data = Files.createDirectory(home.resolve(".trainyard"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private KeyStore selfSigned() throws IOException, InterruptedException, GeneralSecurityException {
    Path file = home.resolve("keys.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    keytool,
                    "-genkeypair",
                    "-alias",
                    "it",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=elsewhere.example",
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    KeyStore keyStore = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keyStore.load(in, PASSWORD.toCharArray());
    }
    return keyStore;
  }

  private String address() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  private void writeServerJson(String certificate) throws IOException {
    Files.writeString(
        data.resolve("server.json"),
        "{\"url\":\"%s\",\"pid\":0,\"certificate\":\"%s\"}".formatted(address(), certificate));
  }

  @Test
  void whoami_serverOfTheDataDirectory_isTrustedByItsFingerprint() throws IOException {
    writeServerJson(fingerprint);
    TestShell shell = new TestShell(home);
    assertThat(shell.run("whoami")).as(shell::err).isZero();
    assertThat(LocalServer.find(data).orElseThrow().trust().verifiesHostName()).isFalse();
  }

  @Test
  void patch_serverOfTheDataDirectory_isTrustedToo() throws IOException {
    writeServerJson(fingerprint);
    TestShell shell = new TestShell(home);
    assertThat(shell.run("user", "disable", "bob")).as(shell::err).isZero();
  }

  @Test
  void whoami_otherCertificate_printsOneSentence() throws IOException {
    writeServerJson("00".repeat(32));
    TestShell shell = new TestShell(home);
    assertThat(shell.run("whoami")).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(shell.err())
        .isEqualTo("error: the server's certificate is not trusted; use --ca-cert FILE\n");
  }

  @Test
  void whoami_otherHost_fingerprintIsNotTrusted() throws IOException {
    writeServerJson(fingerprint);
    TestShell shell = new TestShell(home);
    String otherUrl = address().replace("127.0.0.1", "localhost");
    assertThat(shell.run("whoami", "--server", otherUrl)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(shell.err()).contains("is not trusted").doesNotContain("PKIX", "sun.security");
  }

  @Test
  void whoami_tlsToPlainServer_printsError() throws IOException {
    try (ServerSocket plainServer = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> respondWithoutTls(plainServer));
      int port = plainServer.getLocalPort();
      TestShell shell = new TestShell(home);
      assertThat(shell.run("whoami", "--server", "https://127.0.0.1:" + port))
          .isEqualTo(ExitCode.UNREACHABLE);
      assertThat(shell.err()).contains("does not support TLS; try http://127.0.0.1:" + port);
    }
  }

  private static void respondWithoutTls(ServerSocket server) {
    try (Socket client = server.accept()) {
      client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      // Closing the socket before the request is read completely would discard the response.
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
