package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message to a user: a code and its parameters. The texts are in {@link Messages}, in every
 * language, so that the page and the command line can translate messages of the API.
 */
public record Message(String code, Map<String, Object> params) {
  public Message {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  public static Message of(String code) {
    return new Message(code, Map.of());
  }

  public static Message of(String code, String name, Object value) {
    return new Message(code, Map.of(name, value));
  }

  /** Returns a copy with one more parameter. */
  public Message with(String name, Object value) {
    Map<String, Object> newParams = new LinkedHashMap<>(params);
    newParams.put(name, value);
    return new Message(code, newParams);
  }

  public String english() {
    return Messages.ENGLISH.text(this);
  }
}
