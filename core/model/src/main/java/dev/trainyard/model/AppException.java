package dev.trainyard.model;

import java.util.List;

/** A refusal that is meant for the person who asked: the one exception that crosses the API. */
public final class AppException extends RuntimeException {
  private final ErrorCode code;
  private final transient Message text;
  private final transient List<Problem> problems;

  public AppException(ErrorCode code, Message text) {
    this(code, text, List.of());
  }

  public AppException(ErrorCode code, Message text, List<Problem> problems) {
    super(text.english());
    this.code = code;
    this.text = text;
    this.problems = List.copyOf(problems);
  }

  public ErrorCode code() {
    return code;
  }

  public Message text() {
    return text;
  }

  public List<Problem> problems() {
    return problems;
  }
}
