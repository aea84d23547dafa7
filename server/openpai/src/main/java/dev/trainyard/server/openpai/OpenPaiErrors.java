package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Errors in OpenPAI's format: {@code {code, message}}. */
final class OpenPaiErrors {
  private static final Set<String> OVER_LIMIT =
      Set.of("error.too-many-jobs", "error.too-many-tasks", "error.too-large-files");

  private OpenPaiErrors() {}

  static Reply reply(PaiException error) {
    return Cors.open(body(error.status(), error.code(), error.getMessage()));
  }

  /**
   * Converts an error of the platform's services for which the endpoint has no more specific error.
   */
  static Reply reply(AppException error) {
    int status = error.code().status();
    String text = error.getMessage();
    Reply reply =
        switch (error.code()) {
          case BAD_REQUEST, METHOD_NOT_ALLOWED ->
              body(status, "InvalidParametersError", withProblems(error));
          case INVALID_JOB -> body(status, "InvalidProtocolError", protocol(error.problems()));
          case SIGN_IN_REQUIRED -> reply(PaiException.guest());
          case WRONG_CREDENTIALS -> body(400, "IncorrectPasswordError", "Password is incorrect.");
          case FORBIDDEN -> body(status, "ForbiddenUserError", text);
          case NOT_FOUND, GONE -> body(404, missing(error), text);
          case NAME_TAKEN, CONFLICT -> conflict(error);
          case TOO_LARGE, URL_TOO_LONG -> body(status, "InvalidParametersError", text);
          case TOO_MANY_REQUESTS ->
              body(status, "TooManyRequestsError", text)
                  .with(
                      "Retry-After",
                      String.valueOf(error.text().params().getOrDefault("seconds", 1)));
          case INTERNAL, UNAVAILABLE, DISK_FULL, UNREACHABLE -> body(status, "UnknownError", text);
        };
    return Cors.open(reply);
  }

  /**
   * Returns the error of a conflict. If clients receive ConflictJobError, they assume that the job
   * name is taken and try another name.
   */
  private static Reply conflict(AppException error) {
    String messageCode = error.text().code();
    int status = error.code().status();
    String text = error.getMessage();
    if (OVER_LIMIT.contains(messageCode)) {
      return body(400, "NoEnoughQuotaError", text);
    }
    if (messageCode.startsWith("error.group-") && error.code() == ErrorCode.CONFLICT) {
      return body(403, "ForbiddenUserError", text);
    }
    return body(
        status,
        messageCode.startsWith("error.user-") ? "ConflictUserError" : "ConflictJobError",
        text);
  }

  private static String missing(AppException error) {
    return switch (error.text().code()) {
      case "error.no-user" -> "NoUserError";
      case "error.no-group" -> "NoGroupError";
      case "error.no-vc" -> "NoVirtualClusterError";
      case "error.no-such-job" -> "NoJobError";
      default -> "NoApiError";
    };
  }

  private static Reply body(int status, String code, String message) {
    Map<String, String> body = new LinkedHashMap<>();
    body.put("code", code);
    body.put("message", message);
    return Reply.of(status, body);
  }

  private static String withProblems(AppException error) {
    StringBuilder text = new StringBuilder(error.getMessage());
    for (Problem problem : error.problems()) {
      text.append("; ").append(problem.path()).append(": ").append(problem.message().english());
    }
    return text.toString();
  }

  /** Formats a list of problems like the validator that OpenPAI uses. */
  static String protocol(List<Problem> problems) {
    List<Map<String, Object>> list =
        problems.stream()
            .map(
                problem -> {
                  Map<String, Object> entry = new LinkedHashMap<>();
                  entry.put("keyword", problem.message().code());
                  entry.put("dataPath", problem.path().isEmpty() ? "" : "." + problem.path());
                  entry.put("params", problem.message().params());
                  entry.put("message", problem.message().english());
                  return entry;
                })
            .toList();
    try {
      return Json.MAPPER.writeValueAsString(list);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
