package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CsrfProtectionTest {
  private final CsrfProtection protection =
      new CsrfProtection(
          List.of(
              URI.create("https://yard.example:6443"), URI.create("https://yard.example:7443")));

  private void check(String origin) {
    Map<String, String> headers = Map.of("Host", "127.0.0.1:9286", "Origin", origin);
    protection.checkOrigin("POST", name -> Optional.ofNullable(headers.get(name)));
  }

  @Test
  void checkOrigin_everyPublicUrl_isAccepted() {
    for (String origin : List.of("https://yard.example:6443", "https://yard.example:7443")) {
      assertThatCode(() -> check(origin)).as(origin).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> check("https://yard.example:8443")).isInstanceOf(AppException.class);
  }
}
