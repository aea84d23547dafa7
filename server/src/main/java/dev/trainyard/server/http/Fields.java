package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes a JSON object apart and remembers every fault, so that {@link #check} can name all of them
 * at once.
 */
public final class Fields {
  private final JsonNode object;
  private final Set<String> known = new HashSet<>();
  private final List<Problem> problems = new ArrayList<>();

  public Fields(JsonNode object) {
    this.object = object;
  }

  /** A text that must be there; empty if it is not, which {@link #check} will tell. */
  public String text(String name) {
    Optional<String> value = optionalText(name);
    if (value.isEmpty() && problems.stream().noneMatch(problem -> problem.path().equals(name))) {
      problem(name, Message.of("error.field-missing"));
    }
    return value.orElse("");
  }

  public Optional<String> optionalText(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isTextual()) {
      problem(name, Message.of("error.field-type", "type", "string"));
      return Optional.empty();
    }
    return Optional.ofNullable(value).map(JsonNode::textValue);
  }

  public Optional<Boolean> optionalFlag(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isBoolean()) {
      problem(name, Message.of("error.field-type", "type", "boolean"));
      return Optional.empty();
    }
    return Optional.ofNullable(value).map(JsonNode::booleanValue);
  }

  /** A list of texts. */
  public Optional<List<String>> optionalTexts(String name) {
    JsonNode value = field(name);
    if (value == null) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    value.forEach(item -> texts.add(item.textValue()));
    if (!value.isArray() || texts.contains(null)) {
      problem(name, Message.of("error.field-type", "type", "array of strings"));
      return Optional.empty();
    }
    return Optional.of(texts);
  }

  public Optional<JsonNode> optionalObject(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isObject()) {
      problem(name, Message.of("error.field-type", "type", "object"));
      return Optional.empty();
    }
    return Optional.ofNullable(value);
  }

  public void problem(String name, Message message) {
    Problem problem = Problem.at(name, message);
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }

  /** Refuses the request if anything was wrong, or if there are fields nobody asked for. */
  public void check() {
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                problem(name, Message.of("error.field-unknown"));
              }
            });
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-fields", "count", problems.size()),
          problems);
    }
  }

  private JsonNode field(String name) {
    known.add(name);
    JsonNode value = object.get(name);
    return value == null || value.isNull() ? null : value;
  }
}
