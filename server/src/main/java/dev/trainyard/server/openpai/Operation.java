package dev.trainyard.server.openpai;

import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;

/**
 * One operation of OpenPAI's API, under every address it has.
 *
 * @param path below {@code /api/v1} or {@code /api/v2}
 */
record Operation(
    Version version, String method, String path, Guard guard, BodyLimit limit, Answer answer) {

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

  static Operation v2(String method, String path, Guard guard, Answer answer) {
    return new Operation(Version.V2, method, path, guard, BodyLimit.GENERAL, answer);
  }

  static Operation v1(String method, String path, Guard guard, Answer answer) {
    return new Operation(Version.V1, method, path, guard, BodyLimit.GENERAL, answer);
  }

  Operation withLimit(BodyLimit most) {
    return new Operation(version, method, path, guard, most, answer);
  }

  /** The proxy of OpenPAI puts a word before; clients know either address. */
  void addTo(Routes routes) {
    for (String root : OpenPaiRoutes.ROOTS) {
      routes.addForeign(method, root + version.base() + path, limit, this::reply, Refusals::reply);
    }
  }

  private Reply reply(Request request) throws Exception {
    try {
      guard.check(request);
      Object answered = answer.to(new PaiRequest(request));
      return Cors.open(answered instanceof Reply reply ? reply : Reply.of(200, answered));
    } catch (PaiException e) {
      return Refusals.reply(e);
    }
  }
}
