package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Converts an error response into the exception that the server threw. */
public final class ApiError {
  private ApiError() {}

  private static final int TOO_MANY_REQUESTS = 429;
  private static final long DEFAULT_WAIT_SECONDS = 5;

  /** Converts an error that is part of a successful response. */
  public static AppException of(Json error) {
    ErrorCode code = errorCode(error.string("code"), ErrorCode.INTERNAL.status());
    return new AppException(code, message(error));
  }

  static AppException of(int status, byte[] body) {
    return of(status, body, null);
  }

  /**
   * @param retryAfter the Retry-After header, or null
   */
  static AppException of(int status, byte[] body, String retryAfter) {
    Json response;
    try {
      response = Json.parse(body);
    } catch (IOException e) {
      response = new Json(null);
    }
    if (response.find("code").isEmpty() && status == TOO_MANY_REQUESTS) {
      // The response comes from a proxy in front of the server.
      return new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-requests-here", "seconds", waitSeconds(retryAfter)));
    }
    if (response.find("code").isEmpty()) {
      return new AppException(
          status == 404 ? ErrorCode.NOT_FOUND : ErrorCode.INTERNAL,
          Message.of("cli.not-trainyard", "status", status));
    }
    ErrorCode code = errorCode(response.string("code"), status);
    List<Problem> problems = response.list("problems").stream().map(ApiError::problem).toList();
    return new AppException(code, message(response), problems);
  }

  /** Returns the seconds of a Retry-After header. Dates, which proxies may send, are ignored. */
  private static long waitSeconds(String retryAfter) {
    boolean isNumber = retryAfter != null && retryAfter.strip().matches("\\d{1,9}");
    return isNumber ? Long.parseLong(retryAfter.strip()) : DEFAULT_WAIT_SECONDS;
  }

  static Problem problem(Json problem) {
    return new Problem(
        problem.string("path"),
        message(problem),
        (int) problem.number("line"),
        (int) problem.number("column"));
  }

  /**
   * Returns the message with its code if this client has a text for the code; otherwise the English
   * text from the server.
   */
  private static Message message(Json error) {
    String messageCode = error.find("messageCode").orElse(error.string("code"));
    if (Messages.ENGLISH.template(messageCode) != null) {
      return new Message(messageCode, error.at("params").fields());
    }
    return Message.of("cli.verbatim", "text", error.find("message").orElse(messageCode));
  }

  private static ErrorCode errorCode(String name, int status) {
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.name().equals(name))
        .findFirst()
        .or(
            () ->
                Arrays.stream(ErrorCode.values())
                    .filter(code -> code.status() == status)
                    .findFirst())
        .orElse(ErrorCode.INTERNAL);
  }
}
