package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenSignInHandlerTest {
  private static final Set<String> OURS =
      Set.of("https://pai.example.org", "http://portal.example.org:8080");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://pai.example.org",
        "https://pai.example.org/index.html",
        "http://portal.example.org:8080/a?b=c"
      })
  void isAllowed_configuredOrigins(String address) {
    assertThat(TokenSignInHandler.isAllowed(address, OURS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/index.html",
        "//pai.example.org/",
        "http://pai.example.org/",
        "https://pai.example.org.evil.org/",
        "https://pai.example.org:444/",
        "https://pai.example.org@evil.org/",
        "https://evil.org@pai.example.org/",
        "https://evil.org/https://pai.example.org",
        "https://evil.org\\@pai.example.org/",
        "https://pai.example.org/\r\nX: y",
        "https://pai.example.org/#token",
        "javascript://pai.example.org/%0aalert(1)",
        "http://portal.example.org/"
      })
  void isAllowed_otherOrigins_false(String address) {
    assertThat(TokenSignInHandler.isAllowed(address, OURS)).isFalse();
  }
}
