package dev.trainyard.server.team;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.http.Json;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Converts quotas and limits to and from JSON, for the database and the API. */
final class StoredLimits {
  private StoredLimits() {}

  static Map<String, Object> view(Quota quota) {
    Map<String, Object> view = new LinkedHashMap<>();
    quota.cpus().ifPresent(value -> view.put("cpus", value));
    quota.memory().ifPresent(value -> view.put("memoryMB", value));
    quota.devices().ifPresent(value -> view.put("devices", value));
    if (!quota.deviceTypes().isEmpty()) {
      view.put("deviceTypes", quota.deviceTypes());
    }
    return view;
  }

  static Map<String, Object> view(Limits limits) {
    Map<String, Object> view = new LinkedHashMap<>();
    limits.values().forEach((limit, value) -> view.put(limit.label(), value));
    return view;
  }

  static String toJson(Map<String, Object> view) {
    return Json.MAPPER.<ObjectNode>valueToTree(view).toString();
  }

  static Quota quota(String text) {
    JsonNode json = read(text);
    Map<String, Long> types = new LinkedHashMap<>();
    json.path("deviceTypes")
        .properties()
        .forEach(type -> types.put(type.getKey(), type.getValue().longValue()));
    return new Quota(
        OptionalLong.empty(),
        number(json, "cpus"),
        number(json, "memoryMB"),
        number(json, "devices"),
        types);
  }

  static Limits limits(String text) {
    JsonNode json = read(text);
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      number(json, limit.label()).ifPresent(value -> values.put(limit, value));
    }
    return new Limits(values);
  }

  private static OptionalLong number(JsonNode json, String name) {
    JsonNode value = json.get(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value.longValue());
  }

  private static JsonNode read(String text) {
    try {
      return Json.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("invalid stored limits", e);
    }
  }
}
