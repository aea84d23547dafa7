package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.identity.ExternalUser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsTest {
  private static ExternalUser person(Map<String, Object> values) {
    return new Claims(IdTokensTest.config(), values).externalUser("s");
  }

  @ParameterizedTest
  @CsvSource({
    "alice, alice",
    "Alice.Li_2, Alice.Li_2",
    "alice@example.org, alice",
    "CORP\\alice, CORP-alice",
    "'Alice Li', Alice-Li",
    "'  alice  ', alice",
    "--rm, rm",
    "../../etc, etc",
    "@example.org, example.org",
    "张三, ''",
    "张san, san",
    "'', ''",
    "'a~b', a-b"
  })
  void userName_invalidCharacters_replaced(String claimed, String name) {
    assertThat(Claims.userName(claimed)).isEqualTo(name);
  }

  @Test
  void userName_tooLong_truncated() {
    assertThat(Claims.userName("x".repeat(300))).hasSize(64);
  }

  @Test
  void externalUser_groupsInAllForms() {
    assertThat(person(Map.of("groups", List.of("a", "b", 3))).groups())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(person(Map.of("groups", "one")).groups()).containsExactly("one");
    assertThat(person(Map.of("groups", Map.of("a", 1))).groups()).isEmpty();
    assertThat(person(Map.of()).groups()).isEmpty();
    assertThat(person(Map.of()).groupsIncomplete()).isFalse();
  }

  @Test
  void externalUser_groupsByReference_markedAsOmitted() {
    assertThat(person(Map.of("_claim_names", Map.of("groups", "src1"))).groupsIncomplete())
        .isTrue();
    assertThat(person(Map.of("_claim_names", Map.of("roles", "src1"))).groupsIncomplete())
        .isFalse();
  }

  @Test
  void externalUser_profile_onlyValidValues() {
    ExternalUser good = person(Map.of("email", "a@example.org", "name", "Alice\nLi"));
    assertThat(good.email()).isEqualTo("a@example.org");
    assertThat(good.displayName()).isEqualTo("Alice Li");
    ExternalUser odd = person(Map.of("email", "a b", "name", "x".repeat(101)));
    assertThat(odd.email()).isEmpty();
    assertThat(odd.displayName()).isEmpty();
    assertThat(person(Map.of("email", 7, "preferred_username", true)).name()).isEmpty();
  }
}
