package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A request as OpenPAI interprets it. */
record PaiRequest(Request request) {
  private static final String FORM = "application/x-www-form-urlencoded";

  Caller caller() {
    return request.caller();
  }

  String path(String name) {
    return request.path(name);
  }

  Optional<String> query(String name) {
    return request.query(name).filter(value -> !value.isEmpty());
  }

  /** Returns the comma-separated words of a parameter. */
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
    JsonNode body = type.startsWith(FORM) ? form(request.text()) : json(request.text());
    if (Json.hasNul(body)) {
      throw PaiException.invalid("the body contains a NUL character");
    }
    return body;
  }

  private static JsonNode json(String text) {
    JsonNode node = parse(text);
    JsonNode inner = node.isTextual() ? parse(node.textValue()) : node;
    if (!inner.isObject()) {
      throw PaiException.invalid("\"value\" must be an object");
    }
    return inner;
  }

  private static JsonNode parse(String text) {
    if (text.isBlank()) {
      return Json.MAPPER.createObjectNode();
    }
    try {
      return Json.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw PaiException.invalid("the body is not JSON: " + e.getOriginalMessage());
    }
  }

  private static JsonNode form(String text) {
    ObjectNode fields = Json.MAPPER.createObjectNode();
    for (String pair : text.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        fields.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw PaiException.invalid("the body is not a form");
    }
  }
}
