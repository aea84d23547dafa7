package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Host names of requests. */
class HostNameTest {
  @ParameterizedTest
  @CsvSource({
    "gpu.example.org, true, false",
    "GPU.example.org, true, false",
    "127.0.0.1:9286, false, true",
    "localhost:9286, false, true",
    "[::1]:9286, false, true",
    "evil.example, false, false",
    "127.0.0.1.evil.example, false, false",
  })
  void request_isSecureAndLocal(String host, boolean secure, boolean local) throws IOException {
    WebConfig config =
        new WebConfig(
            "127.0.0.1",
            0,
            Optional.empty(),
            List.of(URI.create("https://gpu.example.org")),
            TrustedProxies.NONE,
            Duration.ofSeconds(60));
    try (TestWeb web = new TestWeb(config, HostNameTest::routes, _ -> Optional.empty());
        Socket socket = new Socket(web.url.getHost(), web.url.getPort())) {
      String head = "GET /said HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(response).endsWith("secure " + secure + " local " + local);
    }
  }

  private static void routes(Routes routes) {
    routes.add(
        "GET",
        "/said",
        Access.PUBLIC,
        request ->
            Reply.of(200, "secure " + request.secure() + " local " + request.local())
                .with("Content-Type", "text/plain"));
  }
}
