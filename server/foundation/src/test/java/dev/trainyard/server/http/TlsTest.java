package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  @TempDir Path directory;
  private KeyStore keys;

  /**
   * Creates a certificate with the keytool of the JDK; the PEM files are written from its key
   * store.
   */
  @BeforeEach
  void makeCertificate() throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    Certificate certificate = keys.getCertificate("a");
    PrivateKey key = (PrivateKey) keys.getKey("a", PASSWORD);
    write("cert.pem", "CERTIFICATE", certificate.getEncoded());
    write("key.pem", "PRIVATE KEY", key.getEncoded());
  }

  @Test
  void listen_withTls() throws Exception {
    try (TestWeb web =
        new TestWeb(
            config("cert.pem", "key.pem"),
            routes -> routes.add("GET", "/secure", Access.PUBLIC, Request::secure))) {
      assertThat(web.url.getScheme()).isEqualTo("https");
      HttpResponse<String> response = get(web.url.resolve("/secure"));
      assertThat(response.body()).isEqualTo("true");
      assertThat(response.headers().firstValue("Strict-Transport-Security"))
          .contains("max-age=31536000");
    }
  }

  @Test
  void listen_withInvalidCertificate() throws Exception {
    Files.writeString(directory.resolve("cert.pem"), "nonsense");
    WebServer server =
        new WebServer(
            config("cert.pem", "key.pem"),
            token -> Optional.empty(),
            (method, route, status, took) -> {},
            InstantSource.system());
    try (server) {
      assertThatThrownBy(server::listen).isInstanceOf(AppException.class);
    }
  }

  private HttpResponse<String> get(URI url) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      return client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private WebConfig config(String certificate, String key) {
    return new WebConfig(
        "127.0.0.1",
        0,
        Optional.of(new WebConfig.Tls(directory.resolve(certificate), directory.resolve(key))),
        List.of(),
        TrustedProxies.NONE,
        Duration.ofSeconds(60));
  }

  private void write(String name, String label, byte[] bytes) throws Exception {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    Files.writeString(
        directory.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label));
  }
}
