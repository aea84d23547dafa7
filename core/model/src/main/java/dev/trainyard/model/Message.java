package dev.trainyard.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something said to a person: a code and its values. The words stand in {@link Messages}, in every
 * language, so that page and command line translate what the API says.
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

  /** A copy with one more value. */
  public Message with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(params);
    more.put(name, value);
    return new Message(code, more);
  }

  public String english() {
    return Messages.ENGLISH.text(this);
  }
}
