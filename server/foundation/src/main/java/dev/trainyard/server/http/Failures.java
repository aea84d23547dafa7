package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Converts errors to their JSON representation. */
final class Failures {
  /**
   * Maximum number of listed problems. Job files have their own limit, which the parser applies.
   */
  static final int MAX_PROBLEMS = 100;

  private Failures() {}

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

  static Reply reply(AppException refusal) {
    Message text = refusal.text();
    Reply reply =
        Reply.of(
            refusal.code().status(),
            new Body(
                refusal.code().name(),
                text.english(),
                text.code(),
                text.params(),
                listed(refusal)));
    return switch (refusal.code()) {
      case TOO_MANY_REQUESTS ->
          reply.with("Retry-After", String.valueOf(text.params().getOrDefault("seconds", 1)));
      case UNAVAILABLE -> reply.with("Retry-After", "5");
      case SIGN_IN_REQUIRED -> reply.with("WWW-Authenticate", "Bearer");
      default -> reply;
    };
  }

  static Reply reply(ErrorCode code, Message text) {
    return reply(new AppException(code, text));
  }

  private static List<ProblemBody> listed(AppException refusal) {
    List<Problem> problems = refusal.problems();
    int more = problems.size() - MAX_PROBLEMS;
    if (more <= 0 || refusal.code() == ErrorCode.INVALID_JOB) {
      return problems.stream().map(Failures::body).toList();
    }
    Problem rest = Problem.at("", Message.of("jobfile.more", "count", more));
    return Stream.concat(problems.stream().limit(MAX_PROBLEMS), Stream.of(rest))
        .map(Failures::body)
        .toList();
  }

  private static ProblemBody body(Problem problem) {
    Message text = problem.message();
    return new ProblemBody(
        problem.path(),
        text.english(),
        text.code(),
        new LinkedHashMap<>(text.params()),
        problem.line(),
        problem.column());
  }
}
