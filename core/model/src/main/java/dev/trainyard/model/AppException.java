package dev.trainyard.model;

import java.util.List;

/**
 * An error for the user who sent the request; the only exception that the API passes on to clients.
 */
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
