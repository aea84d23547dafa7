package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Creates the JSON responses for errors. */
final class ErrorReplies {
  /**
   * Maximum number of listed problems. It does not apply to job files, whose parser has its own
   * limit.
   */
  static final int MAX_PROBLEMS = 100;

  private ErrorReplies() {}

  /**
   * @param messageCode code by which the web page and the command line find the localized message
   */
  private record Body(
      String code,
      String message,
      String messageCode,
      Map<String, Object> params,
      List<ProblemBody> problems) {}

  private record ProblemBody(
      String path, String message, String code, Map<String, Object> params, int line, int column) {}

  static Reply reply(AppException error) {
    Message message = error.text();
    Reply reply =
        Reply.of(
            error.code().status(),
            new Body(
                error.code().name(),
                message.english(),
                message.code(),
                message.params(),
                problemBodies(error)));
    return switch (error.code()) {
      case TOO_MANY_REQUESTS ->
          reply.with("Retry-After", String.valueOf(message.params().getOrDefault("seconds", 1)));
      case UNAVAILABLE -> reply.with("Retry-After", "5");
      case SIGN_IN_REQUIRED -> reply.with("WWW-Authenticate", "Bearer");
      default -> reply;
    };
  }

  static Reply reply(ErrorCode code, Message message) {
    return reply(new AppException(code, message));
  }

  private static List<ProblemBody> problemBodies(AppException error) {
    List<Problem> problems = error.problems();
    int omittedCount = problems.size() - MAX_PROBLEMS;
    if (omittedCount <= 0 || error.code() == ErrorCode.INVALID_JOB) {
      return problems.stream().map(ErrorReplies::body).toList();
    }
    Problem omitted = Problem.at("", Message.of("jobfile.more", "count", omittedCount));
    return Stream.concat(problems.stream().limit(MAX_PROBLEMS), Stream.of(omitted))
        .map(ErrorReplies::body)
        .toList();
  }

  private static ProblemBody body(Problem problem) {
    Message message = problem.message();
    return new ProblemBody(
        problem.path(),
        message.english(),
        message.code(),
        new LinkedHashMap<>(message.params()),
        problem.line(),
        problem.column());
  }
}
