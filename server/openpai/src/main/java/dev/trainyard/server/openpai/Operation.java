package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Admission;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.Scope;
import java.util.Optional;

/**
 * One operation of OpenPAI's API, under every address it has.
 *
 * @param needed of a token that its holder has limited
 * @param path below {@code /api/v1} or {@code /api/v2}
 */
record Operation(
    Version version,
    String method,
    String path,
    Guard guard,
    Scope needed,
    BodyLimit limit,
    Answer answer) {

  /** Which of OpenPAI's APIs. */
  enum Version {
    V1("/api/v1"),
    V2("/api/v2");

    private final String base;

    Version(String base) {
      this.base = base;
    }

    String base() {
      return base;
    }
  }

  /** What an operation does. The value becomes JSON with status 200, unless it is a Reply. */
  @FunctionalInterface
  interface Answer {
    Object to(PaiRequest request) throws Exception;
  }

  private static Operation of(
      Version version, String method, String path, Guard guard, Answer answer) {
    Scope needed = method.equals("GET") ? Scope.READ : Scope.ALL;
    return new Operation(version, method, path, guard, needed, BodyLimit.GENERAL, answer);
  }

  static Operation v2(String method, String path, Guard guard, Answer answer) {
    return of(Version.V2, method, path, guard, answer);
  }

  static Operation v1(String method, String path, Guard guard, Answer answer) {
    return of(Version.V1, method, path, guard, answer);
  }

  Operation withLimit(BodyLimit most) {
    return new Operation(version, method, path, guard, needed, most, answer);
  }

  /** What a token may do that is for jobs only. */
  Operation ofJobs() {
    return new Operation(version, method, path, guard, Scope.SUBMIT, limit, answer);
  }

  /** The proxy of OpenPAI puts a word before; clients know either address. */
  void addTo(Routes routes) {
    for (String root : OpenPaiRoutes.ROOTS) {
      routes.addForeign(
          method,
          root + version.base() + path,
          limit,
          admission(),
          this::reply,
          OpenPaiErrors::reply);
    }
  }

  private Admission admission() {
    return guard == Guard.OPEN ? Admission.OPEN : this::refuse;
  }

  private Optional<Reply> refuse(Request request) {
    try {
      guard.check(request, needed);
      return Optional.empty();
    } catch (PaiException e) {
      return Optional.of(OpenPaiErrors.reply(e));
    }
  }

  private Reply reply(Request request) throws Exception {
    try {
      Object answered = answer.to(new PaiRequest(request));
      return Cors.open(answered instanceof Reply reply ? reply : Reply.of(200, answered));
    } catch (PaiException e) {
      return OpenPaiErrors.reply(e);
    }
  }
}
