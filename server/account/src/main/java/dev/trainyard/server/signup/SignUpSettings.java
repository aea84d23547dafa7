package dev.trainyard.server.signup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Sign-up settings; administrators can change them at run time.
 *
 * @param textEn English text for the sign-up page, for example where to get a code; plain text
 * @param textZh Chinese version of {@code textEn}
 */
record SignUpSettings(SignUpMode mode, String textEn, String textZh) {
  private static final String NAME = "signup";
  static final SignUpSettings USUAL = new SignUpSettings(SignUpMode.CLOSED, "", "");

  Map<String, Object> view() {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("en", textEn);
    text.put("zh", textZh);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("mode", mode.label());
    view.put("text", text);
    return view;
  }

  static SignUpSettings load(Handle handle) {
    return handle
        .createQuery("select value_json from runtime_setting where name = :name")
        .bind("name", NAME)
        .mapTo(String.class)
        .findOne()
        .map(SignUpSettings::parse)
        .orElse(USUAL);
  }

  /** Unknown values disable sign-up. */
  private static SignUpSettings parse(String text) {
    try {
      JsonNode json = Json.MAPPER.readTree(text);
      return new SignUpSettings(
          SignUpMode.find(json.path("mode").asText()).orElse(SignUpMode.CLOSED),
          json.path("text").path("en").asText(),
          json.path("text").path("zh").asText());
    } catch (JsonProcessingException e) {
      return USUAL;
    }
  }

  void save(Handle handle) {
    try {
      handle.execute(
          "insert into runtime_setting (name, value_json) values (?, ?)"
              + " on conflict (name) do update set value_json = excluded.value_json",
          NAME,
          Json.MAPPER.writeValueAsString(view()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
