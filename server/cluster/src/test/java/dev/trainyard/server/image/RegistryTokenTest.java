package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registries whose tokens come from another host. Both host names refer to this node. */
class RegistryTokenTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final RegistryLogin ALICE = new RegistryLogin("alice", "secret");
  private static final String BASIC =
      "Basic "
          + Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8));

  @TempDir private static Path directory;
  private static SSLContext tls;

  /** Values of the Authorization header that the other host received. */
  private final List<String> received = new CopyOnWriteArrayList<>();

  private HttpsServer registry;
  private HttpsServer tokens;
  private HttpServer plain;

  /** Creates a certificate with the JDK's keytool; both sides trust it. */
  @BeforeAll
  static void createCertificate() throws Exception {
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
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  private static InetSocketAddress loopbackAddress() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  }

  private static HttpsServer createHttpsServer() throws IOException {
    HttpsServer server = HttpsServer.create(loopbackAddress(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  @BeforeEach
  void start() throws IOException {
    registry = createHttpsServer();
    tokens = createHttpsServer();
    plain = HttpServer.create(loopbackAddress(), 0);
    for (HttpServer server : List.of(tokens, plain)) {
      server.createContext(
          "/token",
          exchange -> {
            String said = exchange.getRequestHeaders().getFirst("Authorization");
            received.add(String.valueOf(said));
            respond(exchange, 200, "{\"token\":\"t0\"}");
          });
      server.createContext("/moved", exchange -> redirect(exchange, "/token"));
    }
    registry.start();
    tokens.start();
    plain.start();
  }

  @AfterEach
  void stop() {
    registry.stop(0);
    tokens.stop(0);
    plain.stop(0);
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static void redirect(HttpExchange exchange, String to) throws IOException {
    exchange.getResponseHeaders().set("Location", to);
    respond(exchange, 302, "");
  }

  /**
   * Returns the names that the registry lists for a client that it refers to this address for a
   * token.
   */
  private List<String> names(HttpServer registryServer, String realm, Predicate<String> near) {
    registryServer.createContext(
        "/v2/_catalog",
        exchange -> {
          if ("Bearer t0".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            respond(exchange, 200, "{\"repositories\":[\"a\"]}");
          } else {
            exchange
                .getResponseHeaders()
                .set("WWW-Authenticate", "Bearer realm=\"%s\",service=\"s\"".formatted(realm));
            respond(exchange, 401, "{}");
          }
        });
    Registry known =
        new Registry(
            "localhost:" + registryServer.getAddress().getPort(),
            registryServer.equals(plain),
            "",
            List.of());
    try (var browser = new RegistryBrowser(HttpClient.newBuilder().sslContext(tls), near)) {
      return browser.repositories(known, Optional.of(ALICE), Optional.empty(), 2).names();
    }
  }

  private void assertRejected(HttpServer registryServer, String realm, Predicate<String> near) {
    assertThatThrownBy(() -> names(registryServer, realm, near)).isInstanceOf(AppException.class);
    assertThat(received).isEmpty();
  }

  private String urlOf(HttpServer server, String path) {
    String scheme = server.equals(plain) ? "http" : "https";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Test
  void token_ofOtherHostByHttps_fetchedWithLogin() {
    assertThat(names(registry, urlOf(tokens, "/token"), host -> !host.equals("127.0.0.1")))
        .containsExactly("a");
    assertThat(received).containsExactly(BASIC);
  }

  @Test
  void token_ofInternalHost_notFetched() {
    assertRejected(registry, urlOf(tokens, "/token"), SsrfGuard::isInternal);
  }

  @Test
  void token_ofOtherHostWithoutTls_notFetched() {
    assertRejected(registry, urlOf(plain, "/token"), _ -> false);
  }

  @Test
  void token_ofOtherHostForRegistryWithoutTls_notFetched() {
    assertRejected(plain, urlOf(tokens, "/token"), _ -> false);
  }

  @Test
  void token_redirectedAgain_notFetched() {
    assertRejected(registry, urlOf(tokens, "/moved"), _ -> false);
  }

  @Test
  void token_addressWithUserInfo_notFetched() {
    String realm = urlOf(tokens, "/token").replace("https://", "https://me:pw@");
    assertRejected(registry, realm, _ -> false);
  }
}
