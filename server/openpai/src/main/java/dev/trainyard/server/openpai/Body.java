package dev.trainyard.server.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The fields of a request body, validated as in OpenPAI. */
record Body(JsonNode fields) {
  static Body of(PaiRequest request, Set<String> allowedFields) {
    return new Body(request.body()).requireOnly(allowedFields);
  }

  /**
   * Returns the fields of the object {@code data} in the body of a request that changes an object.
   */
  static Body data(PaiRequest request, Set<String> allowedFields) {
    Body body = of(request, Set.of("patch", "data"));
    JsonNode data = body.fields.get("data");
    if (data == null || !data.isObject()) {
      throw PaiException.invalid("\"data\" is required");
    }
    return new Body(data).requireOnly(allowedFields);
  }

  /** Returns whether fields that are missing in the request stay unchanged. */
  static boolean isPatch(PaiRequest request) {
    return request.body().path("patch").asBoolean(false);
  }

  private Body requireOnly(Set<String> allowedFields) {
    fields
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!allowedFields.contains(name)) {
                throw PaiException.invalid("\"" + name + "\" is not allowed");
              }
            });
    return this;
  }

  void require(String... names) {
    for (String name : names) {
      if (!fields.hasNonNull(name)) {
        throw PaiException.invalid("\"" + name + "\" is required");
      }
    }
  }

  String text(String name) {
    require(name);
    return optionalText(name).orElseThrow();
  }

  Optional<String> optionalText(String name) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw PaiException.invalid("\"" + name + "\" must be a string");
    }
    return Optional.of(value.textValue());
  }

  Optional<Boolean> flag(String name) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    boolean isText = value.asText().equals("true") || value.asText().equals("false");
    if (!value.isBoolean() && !isText) {
      throw PaiException.invalid("\"" + name + "\" must be a boolean");
    }
    return Optional.of(value.asBoolean());
  }

  Optional<List<String>> texts(String name) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    if (!value.isArray()) {
      throw PaiException.invalid("\"" + name + "\" must be an array");
    }
    for (JsonNode item : value) {
      if (!item.isTextual()) {
        throw PaiException.invalid("\"" + name + "\" must be an array of strings");
      }
      texts.add(item.textValue());
    }
    return Optional.of(texts);
  }

  Optional<JsonNode> object(String name) {
    JsonNode value = fields.get(name);
    if (value != null && !value.isNull() && !value.isObject()) {
      throw PaiException.invalid("\"" + name + "\" must be an object");
    }
    return Optional.ofNullable(value).filter(found -> !found.isNull());
  }
}
