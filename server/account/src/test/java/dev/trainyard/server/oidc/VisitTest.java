package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisitTest {
  @Test
  void cookie_bringsEverythingBack() {
    Visit visit = Visit.begin("page", "/#/jobs?a=b");
    assertThat(Visit.parse(visit.cookie())).hasValue(visit);
    assertThat(visit.cookie()).matches("[A-Za-z0-9._-]+");
  }

  @Test
  void begin_neverTheSame() {
    assertThat(Visit.begin("page", "/").state()).isNotEqualTo(Visit.begin("page", "/").state());
  }

  @Test
  void values_differAndDoNotShowTheSecret() {
    Visit visit = Visit.begin("page", "/");
    List<String> shown = List.of(visit.state(), visit.nonce(), visit.challenge(), visit.verifier());
    assertThat(shown).doesNotHaveDuplicates().doesNotContain(visit.secret());
    assertThat(visit.verifier()).hasSize(43);
    assertThat(visit.toString()).doesNotContain(visit.secret());
  }

  @Test
  void fits_onlyItsOwnState() {
    Visit visit = Visit.begin("page", "/");
    assertThat(visit.fits(visit.state())).isTrue();
    assertThat(visit.fits("")).isFalse();
    assertThat(visit.fits(Visit.begin("page", "/").state())).isFalse();
  }

  /** RFC 7636, appendix B. */
  @Test
  void challenge_example() {
    assertThat(Visit.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        .isEqualTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.page.", "x.y", "é.page.Lw"})
  void parse_nonsense(String cookie) {
    assertThat(Visit.parse(cookie)).isEmpty();
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
  void page_ofOthers_isRefused(String to) {
    assertThat(new PageLanding(null).accepts(to)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/#/jobs/alice~a", "/api/v3/me?x=%2F%2Fy"})
  void page_ofOurs_isAccepted(String to) {
    assertThat(new PageLanding(null).accepts(to)).isTrue();
  }
}
