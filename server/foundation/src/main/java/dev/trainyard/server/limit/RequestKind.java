package dev.trainyard.server.limit;

import java.util.Set;

/** Kind of a request, which determines the limits that apply to it. */
public enum RequestKind {
  /** Health check of a monitoring system, which is cheap and never rejected. */
  HEALTH,
  /** Submission of a job file, which is parsed, validated and stored. */
  SUBMISSION,
  /** Request for a list of jobs, which may search all jobs. */
  LIST,
  OTHER;

  private static final Set<String> SUBMISSIONS =
      Set.of("POST /jobs", "POST /user/:user/jobs", "PUT /user/:user/jobs/:name");
  private static final Set<String> LISTS = Set.of("GET /jobs", "GET /user/:user/jobs");

  /**
   * Returns the kind of requests with this method and route, regardless of the version of the API.
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
