package dev.trainyard.server.signup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sign-up settings, which administrators can change while the server is running.
 *
 * @param textEn English plain text for the sign-up page, for example where to get an invitation
 *     code
 * @param textZh Chinese version of {@code textEn}
 */
record SignUpSettings(SignUpMode mode, String textEn, String textZh) {
  static final SignUpSettings DEFAULT = new SignUpSettings(SignUpMode.CLOSED, "", "");

  Map<String, Object> view() {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("en", textEn);
    text.put("zh", textZh);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("mode", mode.label());
    view.put("text", text);
    return view;
  }

  /**
   * Parses stored settings. If they cannot be parsed or the mode is unknown, sign-up is disabled.
   */
  static SignUpSettings parse(String text) {
    try {
      JsonNode json = Json.MAPPER.readTree(text);
      return new SignUpSettings(
          SignUpMode.find(json.path("mode").asText()).orElse(SignUpMode.CLOSED),
          json.path("text").path("en").asText(),
          json.path("text").path("zh").asText());
    } catch (JsonProcessingException e) {
      return DEFAULT;
    }
  }

  String json() {
    try {
      return Json.MAPPER.writeValueAsString(view());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
