package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.server.http.BodyJson;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.work.WorkPools;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A request as OpenPAI interprets it. */
record PaiRequest(Request request) {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int MAX_FORM_FIELDS = 1_000;

  Caller caller() {
    return request.caller();
  }

  String path(String name) {
    return request.path(name);
  }

  Optional<String> query(String name) {
    return request.query(name).filter(value -> !value.isEmpty());
  }

  /** Returns the comma-separated values of a parameter. */
  List<String> words(String name) {
    return request.words(name).stream().filter(word -> !word.isEmpty()).toList();
  }

  boolean flag(String name) {
    return query(name).filter(value -> value.equalsIgnoreCase("true")).isPresent();
  }

  String text() {
    return request.text();
  }

  /** Returns the fields of the body: a form, JSON, or a JSON string that contains JSON. */
  JsonNode body() {
    String type = request.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    JsonNode body = type.startsWith(FORM) ? form(request.text()) : json();
    if (Json.hasNul(body)) {
      throw PaiException.invalid("the body contains a NUL character");
    }
    return body;
  }

  /**
   * Returns the job file in the body. Older clients send the fields of a v1 file as a form. Other
   * clients send the file itself but declare it as a form, which is the default of curl.
   */
  String jobFile() {
    String text = JobRoutes.jobFile(request);
    String type = request.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    // A text that is too long is not converted, because it is rejected later like any job file that
    // is too long.
    return type.startsWith(FORM) && text.length() <= JobFiles.MAX_LENGTH && FormJobFile.isForm(text)
        ? WorkPools.PARSING.run(() -> FormJobFile.toJson(text))
        : text;
  }

  private JsonNode json() {
    JsonNode node = parse(request.text());
    JsonNode inner = node.isTextual() ? parse(node.textValue()) : node;
    if (!inner.isObject()) {
      throw PaiException.invalid("\"value\" must be an object");
    }
    return inner;
  }

  private JsonNode parse(String text) {
    if (text.isBlank()) {
      return Json.MAPPER.createObjectNode();
    }
    try {
      return BodyJson.read(text, request);
    } catch (JsonProcessingException e) {
      throw PaiException.invalid("the body is not JSON: " + e.getOriginalMessage());
    }
  }

  private static JsonNode form(String text) {
    ObjectNode fields = Json.MAPPER.createObjectNode();
    String[] pairs = text.split("&", MAX_FORM_FIELDS + 1);
    if (pairs.length > MAX_FORM_FIELDS) {
      throw PaiException.invalid("the form has more than " + MAX_FORM_FIELDS + " fields");
    }
    for (String pair : pairs) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        fields.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return fields;
  }

  static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw PaiException.invalid("the body is not a form");
    }
  }
}
