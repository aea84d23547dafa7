package dev.trainyard.server.limit;

import java.util.Set;

/** What a request is counted as besides being a request. */
public enum RequestKind {
  /** Asked by whoever watches over the server; never refused, and costs nothing. */
  HEALTH,
  /** A job file, which is read, checked and stored. */
  SUBMISSION,
  /** A list of jobs, which may be a search through all of them. */
  LIST,
  OTHER;

  private static final Set<String> SUBMISSIONS =
      Set.of("POST /jobs", "POST /user/:user/jobs", "PUT /user/:user/jobs/:name");
  private static final Set<String> LISTS = Set.of("GET /jobs", "GET /user/:user/jobs");

  /** By the route, whatever the version of the API; HEAD is answered where GET is. */
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
