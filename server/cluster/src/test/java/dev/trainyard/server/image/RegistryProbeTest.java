package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.ImageReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryProbeTest {
  private static final RegistryAccess WITH_LOGIN =
      new RegistryAccess(Optional.of(new RegistryLogin("alice", "secret")), true);

  private final RegistryProbe probe = new RegistryProbe(SsrfGuard::isInternal);
  private final List<String> credentials = new CopyOnWriteArrayList<>();
  private HttpServer registry;
  private volatile String header = "WWW-Authenticate";
  private volatile String value = "";
  private volatile int status = 401;

  @BeforeEach
  void start() throws IOException {
    registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.createContext(
        "/",
        exchange -> {
          credentials.addAll(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()));
          exchange.getResponseHeaders().set(header, value);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    registry.start();
  }

  @AfterEach
  void stop() {
    registry.stop(0);
  }

  private ImageReference image() {
    return ImageReference.of("127.0.0.1:" + registry.getAddress().getPort() + "/team/model:1");
  }

  private void realm(String realm) {
    value = "Bearer realm=\"" + realm.replace("PORT", port()) + "\",service=\"r\"";
  }

  private String port() {
    return String.valueOf(registry.getAddress().getPort());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:22/token",
        "http://localhost:PORT/token",
        "http://[::1]:PORT/token",
        "http://2130706433:PORT/token",
        "https://127.0.0.1:PORT1/token",
        "http://169.254.169.254/latest",
        "http://127.0.0.1/token",
        "file:///etc/passwd",
        "http:///token",
        "not an address"
      })
  void require_tokenAddressOnThisNode_rejected(String realm) {
    realm(realm);
    assertThatThrownBy(() -> probe.require(image(), WITH_LOGIN))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("sends its clients to");
    assertThat(credentials).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:PORT/token", "/token", "http://192.0.2.7:5001/token"})
  void require_ownOrRemoteTokenAddress_accepted(String realm) {
    realm(realm);
    assertThatCode(() -> probe.require(image(), WITH_LOGIN)).doesNotThrowAnyException();
  }

  @Test
  void require_redirectToThisNode_rejected() {
    header = "Location";
    value = "http://127.0.0.1:9/";
    status = 302;
    assertThatThrownBy(() -> probe.require(image(), WITH_LOGIN)).isInstanceOf(ImageException.class);
    value = "/v2/elsewhere";
    assertThatCode(() -> probe.require(image(), WITH_LOGIN)).doesNotThrowAnyException();
  }

  @Test
  @Timeout(60)
  void require_endlessBody_doesNotWait() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    registry.removeContext("/");
    registry.createContext(
        "/",
        exchange -> {
          exchange
              .getResponseHeaders()
              .set("WWW-Authenticate", "Bearer realm=\"http://127.0.0.1:9\"");
          exchange.sendResponseHeaders(401, 1_000);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          awaitUninterruptibly(end);
        });
    try {
      assertThatThrownBy(() -> probe.require(image(), WITH_LOGIN))
          .isInstanceOf(ImageException.class);
    } finally {
      end.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void require_unreachableRegistry_leftToTheEngine() {
    ImageReference image = image();
    registry.stop(0);
    assertThatCode(() -> probe.require(image, WITH_LOGIN)).doesNotThrowAnyException();
  }
}
