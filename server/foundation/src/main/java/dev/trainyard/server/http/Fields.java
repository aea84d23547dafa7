package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the fields of a JSON object and collects the problems, so that {@link #check} can report
 * them together. At most {@link #MAX_PROBLEMS} problems are listed; further ones are only counted,
 * because clients that are not signed in can send an object with many unknown fields.
 */
public final class Fields {
  static final int MAX_PROBLEMS = 100;

  private static final Message EMPTY = Message.of("error.field-empty");

  private final JsonNode object;
  private final Set<String> readNames = new HashSet<>();
  private final Set<Problem> problems = new LinkedHashSet<>();
  private int omittedProblems;

  public Fields(JsonNode object) {
    this.object = object;
  }

  /**
   * Returns a required, non-empty text; if it is missing, returns an empty text and {@link #check}
   * reports the problem.
   */
  public String text(String name) {
    String value = optionalText(name).orElse("");
    if (value.isEmpty() && problems.stream().noneMatch(problem -> problem.path().equals(name))) {
      addProblem(name, object.has(name) ? EMPTY : Message.of("error.field-missing"));
    }
    return value;
  }

  public Optional<String> optionalText(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isTextual()) {
      addProblem(name, Message.of("error.field-type", "type", "string"));
      return Optional.empty();
    }
    return Optional.ofNullable(value).map(JsonNode::textValue);
  }

  public Optional<Boolean> optionalFlag(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isBoolean()) {
      addProblem(name, Message.of("error.field-type", "type", "boolean"));
      return Optional.empty();
    }
    return Optional.ofNullable(value).map(JsonNode::booleanValue);
  }

  /** Returns an integer from {@code from} to {@code to}. */
  public Optional<Long> optionalNumber(String name, long from, long to) {
    JsonNode value = field(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber()) {
      addProblem(name, Message.of("error.field-type", "type", "integer"));
      return Optional.empty();
    }
    if (!value.canConvertToLong() || value.longValue() < from || value.longValue() > to) {
      Message rangeMessage =
          Message.of("error.not-in-range", "value", value.asText()).with("from", from);
      addProblem(name, rangeMessage.with("to", to));
      return Optional.empty();
    }
    return Optional.of(value.longValue());
  }

  /**
   * Returns a text with at most {@code maxLength} characters and no control characters except line
   * breaks and tabs.
   */
  public Optional<String> optionalText(String name, int maxLength) {
    Optional<String> text = optionalText(name);
    if (text.isPresent() && text.get().length() > maxLength) {
      addProblem(name, Message.of("error.field-long", "longest", maxLength));
      return Optional.empty();
    }
    if (text.isPresent() && text.get().chars().anyMatch(Fields::isControl)) {
      addProblem(name, Message.of("error.field-control"));
      return Optional.empty();
    }
    return text;
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t' && c != '\r';
  }

  public Optional<List<String>> optionalTexts(String name, int maxCount) {
    JsonNode value = field(name);
    if (value == null) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    value.forEach(item -> texts.add(item.textValue()));
    if (!value.isArray() || texts.contains(null) || texts.size() > maxCount) {
      addProblem(name, Message.of("error.field-type", "type", "array of strings"));
      return Optional.empty();
    }
    return Optional.of(List.copyOf(texts));
  }

  public Optional<JsonNode> optionalObject(String name) {
    JsonNode value = field(name);
    if (value != null && !value.isObject()) {
      addProblem(name, Message.of("error.field-type", "type", "object"));
      return Optional.empty();
    }
    return Optional.ofNullable(value);
  }

  public void addProblem(String name, Message message) {
    if (problems.size() >= MAX_PROBLEMS) {
      omittedProblems++;
    } else if (!problems.contains(Problem.at(name, EMPTY))) {
      // If a text is empty, its other problems are not reported.
      problems.add(Problem.at(name, message));
    }
  }

  /** Throws if there was any problem or if the object has unknown fields. */
  public void check() {
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!readNames.contains(name)) {
                addProblem(name, Message.of("error.field-unknown"));
              }
            });
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-fields", "count", problems.size() + omittedProblems),
          List.copyOf(problems));
    }
  }

  private JsonNode field(String name) {
    readNames.add(name);
    JsonNode value = object.get(name);
    return value == null || value.isNull() ? null : value;
  }
}
