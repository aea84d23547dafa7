package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Admission;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.Scope;
import java.util.Optional;

/**
 * One operation of OpenPAI's API, under all its paths.
 *
 * @param requiredScope scope that a token must have
 * @param path path below {@code /api/v1} or {@code /api/v2}
 */
record Operation(
    Version version,
    String method,
    String path,
    Guard guard,
    Scope requiredScope,
    BodyLimit limit,
    Handler handler) {

  /** The version of OpenPAI's API. */
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

  /**
   * The implementation of an operation. A result that is a Reply is sent as it is; any other result
   * is sent as JSON with status 200.
   */
  @FunctionalInterface
  interface Handler {
    Object handle(PaiRequest request) throws Exception;
  }

  private static Operation of(
      Version version, String method, String path, Guard guard, Handler handler) {
    Scope needed = method.equals("GET") ? Scope.READ : Scope.ALL;
    return new Operation(version, method, path, guard, needed, BodyLimit.GENERAL, handler);
  }

  static Operation v2(String method, String path, Guard guard, Handler handler) {
    return of(Version.V2, method, path, guard, handler);
  }

  static Operation v1(String method, String path, Guard guard, Handler handler) {
    return of(Version.V1, method, path, guard, handler);
  }

  Operation withLimit(BodyLimit newLimit) {
    return new Operation(version, method, path, guard, requiredScope, newLimit, handler);
  }

  /** Returns a copy that requires only the scope for submitting jobs. */
  Operation ofJobs() {
    return new Operation(version, method, path, guard, Scope.SUBMIT, limit, handler);
  }

  /** Registers both paths, because OpenPAI's proxy adds a prefix and clients use either form. */
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
    return guard == Guard.OPEN ? Admission.OPEN : this::reject;
  }

  private Optional<Reply> reject(Request request) {
    try {
      guard.check(request, requiredScope);
      return Optional.empty();
    } catch (PaiException e) {
      return Optional.of(OpenPaiErrors.reply(e));
    }
  }

  private Reply reply(Request request) throws Exception {
    try {
      Object response = handler.handle(new PaiRequest(request));
      return Cors.open(response instanceof Reply reply ? reply : Reply.of(200, response));
    } catch (PaiException e) {
      return OpenPaiErrors.reply(e);
    }
  }
}
