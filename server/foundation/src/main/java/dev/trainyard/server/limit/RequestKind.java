package dev.trainyard.server.limit;

import java.util.Set;

/** Kind of a request, for additional limits. */
public enum RequestKind {
  /** Sent by monitoring systems; never rejected and cheap. */
  HEALTH,
  /** Submission of a job file, which is parsed, validated and stored. */
  SUBMISSION,
  /** A list of jobs, which may search through all of them. */
  LIST,
  OTHER;

  private static final Set<String> SUBMISSIONS =
      Set.of("POST /jobs", "POST /user/:user/jobs", "PUT /user/:user/jobs/:name");
  private static final Set<String> LISTS = Set.of("GET /jobs", "GET /user/:user/jobs");

  /**
   * Returns the kind of a route, which is the same in all versions of the API; HEAD counts as GET.
   */
  public static RequestKind of(String method, String route) {
    if (route.equals("/healthz") || route.equals("/livez")) {
      return HEALTH;
    }
    String operation = method + " " + route.replaceFirst("^(/rest-server)?/api/v\\d+", "");
    if (SUBMISSIONS.contains(operation)) {
      return SUBMISSION;
    }
    return LISTS.contains(operation) ? LIST : OTHER;
  }
}
