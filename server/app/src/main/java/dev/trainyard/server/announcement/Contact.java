package dev.trainyard.server.announcement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Contact information of the administrators. All values are plain text; an empty value is not
 * shown.
 *
 * @param textEn English text
 * @param textZh Chinese text
 * @param link URL of a community or ticket system, with http or https
 * @param qrCode content of a QR code, for example the address of a chat group
 */
record Contact(String textEn, String textZh, String link, String email, String qrCode) {
  static final Contact EMPTY = new Contact("", "", "", "", "");

  Map<String, Object> view() {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("en", textEn);
    text.put("zh", textZh);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("text", text);
    view.put("link", link);
    view.put("email", email);
    view.put("qrCode", qrCode);
    return view;
  }

  /** Parses the stored contact; returns an empty one if it cannot be read. */
  static Contact parse(String text) {
    try {
      JsonNode json = Json.MAPPER.readTree(text);
      return new Contact(
          json.path("text").path("en").asText(),
          json.path("text").path("zh").asText(),
          json.path("link").asText(),
          json.path("email").asText(),
          json.path("qrCode").asText());
    } catch (JsonProcessingException e) {
      return EMPTY;
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
