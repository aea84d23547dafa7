package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class BodyJsonTest {
  /** Returns a body with this number of tokens. */
  private static String withTokens(int tokens) {
    // The object, its field name and the array are five tokens.
    return "{\"name\":[" + String.join(",", Collections.nCopies(tokens - 5, "0")) + "]}";
  }

  private static String nested(int depth) {
    return "{\"\":".repeat(depth) + "0" + "}".repeat(depth);
  }

  private static void assertTooLarge(String text) {
    assertThatThrownBy(() -> BodyJson.countTokens(text))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE);
              assertThat(e.text().code()).isEqualTo("error.json-too-complex");
            });
  }

  @Test
  void countTokens_manyTokens_rejected() throws Exception {
    assertThat(BodyJson.countTokens(withTokens(BodyJson.MAX_TOKENS)))
        .isEqualTo(BodyJson.MAX_TOKENS);
    assertTooLarge(withTokens(BodyJson.MAX_TOKENS + 1));
  }

  @Test
  void countTokens_deeplyNested_rejected() throws Exception {
    assertThat(BodyJson.countTokens(nested(BodyJson.MAX_DEPTH)))
        .isEqualTo(3 * BodyJson.MAX_DEPTH + 1);
    assertTooLarge(nested(BodyJson.MAX_DEPTH + 1));
  }

  @Test
  void json_limitsApplyToEveryBody() throws Exception {
    // A quarter, the share of one user: enough for one parsed body but not for two.
    long memory = 2L * BodyJson.MAX_TOKENS * BodyJson.BYTES_PER_TOKEN;
    LoadLimits limits =
        new LoadLimits(
            Duration.ofSeconds(30),
            1_024,
            new DataSize(4 * memory),
            DataSize.ofMegabytes(64),
            1_000,
            1_000);
    try (TestWeb web =
        new TestWeb(
            WebConfig.local(0).with(limits),
            routes -> {
              routes.add("POST", "/mine", Access.USER, request -> request.json().size());
              routes.add(
                  "POST",
                  "/repeated",
                  Access.USER,
                  request -> request.json().size() + request.json().size());
              routes.add("POST", "/open", Access.PUBLIC, request -> request.json().size());
            })) {
      String[] user = {"Authorization", "Bearer user"};
      String largest = withTokens(BodyJson.MAX_TOKENS);
      assertThat(web.send("POST", "/mine", largest, user).body()).isEqualTo("1");
      var tooMany = web.send("POST", "/mine", withTokens(BodyJson.MAX_TOKENS + 1), user);
      assertThat(tooMany.statusCode()).isEqualTo(413);
      assertThat(tooMany.body()).contains("error.json-too-complex");
      assertThat(web.send("POST", "/open", nested(BodyJson.MAX_DEPTH + 1)).statusCode())
          .isEqualTo(413);
      // The memory of a parsed body is counted until its request ends.
      assertThat(web.send("POST", "/repeated", largest, user).statusCode()).isEqualTo(429);
      assertThat(web.send("POST", "/mine", largest, user).statusCode()).isEqualTo(200);
    }
  }
}
