package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorizationRequestTest {
  @Test
  void cookie_roundTrip() {
    AuthorizationRequest authorizationRequest = AuthorizationRequest.create("page", "/#/jobs?a=b");
    assertThat(AuthorizationRequest.parse(authorizationRequest.cookie()))
        .hasValue(authorizationRequest);
    assertThat(authorizationRequest.cookie()).matches("[A-Za-z0-9._-]+");
  }

  @Test
  void begin_isUnique() {
    assertThat(AuthorizationRequest.create("page", "/").state())
        .isNotEqualTo(AuthorizationRequest.create("page", "/").state());
  }

  @Test
  void values_differAndDoNotRevealTheSecret() {
    AuthorizationRequest authorizationRequest = AuthorizationRequest.create("page", "/");
    List<String> shown =
        List.of(
            authorizationRequest.state(),
            authorizationRequest.nonce(),
            authorizationRequest.challenge(),
            authorizationRequest.verifier());
    assertThat(shown).doesNotHaveDuplicates().doesNotContain(authorizationRequest.secret());
    assertThat(authorizationRequest.verifier()).hasSize(43);
    assertThat(authorizationRequest.toString()).doesNotContain(authorizationRequest.secret());
  }

  @Test
  void matches_onlyItsState() {
    AuthorizationRequest authorizationRequest = AuthorizationRequest.create("page", "/");
    assertThat(authorizationRequest.matches(authorizationRequest.state())).isTrue();
    assertThat(authorizationRequest.matches("")).isFalse();
    assertThat(authorizationRequest.matches(AuthorizationRequest.create("page", "/").state()))
        .isFalse();
  }

  /** RFC 7636, appendix B. */
  @Test
  void challenge_example() {
    assertThat(AuthorizationRequest.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        .isEqualTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.page.", "x.y", "é.page.Lw"})
  void parse_invalid(String cookie) {
    assertThat(AuthorizationRequest.parse(cookie)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "//evil.org",
        "///evil.org",
        "/\\evil.org",
        "https://evil.org",
        "/a b",
        "/a\r\nSet-Cookie: x=y",
        "/\tevil",
        "javascript:alert(1)",
        "/é"
      })
  void page_otherServer_rejected(String to) {
    assertThat(new PageSignInHandler(null).accepts(to)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/#/jobs/alice~a", "/api/v3/me?x=%2F%2Fy"})
  void page_thisServer_accepted(String to) {
    assertThat(new PageSignInHandler(null).accepts(to)).isTrue();
  }
}
