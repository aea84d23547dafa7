package dev.trainyard.server.session;

import dev.trainyard.server.http.CsrfProtection;
import dev.trainyard.server.http.Reply;
import java.time.Duration;

/** Adds the session cookies of a browser to responses, and removes them. */
public final class SessionCookies {
  private SessionCookies() {}

  public static Reply add(Reply reply, String token, Duration lifetime, boolean secure) {
    long seconds = lifetime.toSeconds();
    return reply
        .withCookie(session(token, seconds, secure))
        .withCookie(csrf(CsrfProtection.csrfValue(token), seconds, secure));
  }

  static Reply remove(Reply reply, boolean secure) {
    return reply.withCookie(session("", 0, secure)).withCookie(csrf("", 0, secure));
  }

  private static String session(String value, long seconds, boolean secure) {
    return cookie(CsrfProtection.SESSION_COOKIE, value, seconds, secure) + "; HttpOnly";
  }

  private static String csrf(String value, long seconds, boolean secure) {
    return cookie(CsrfProtection.CSRF_COOKIE, value, seconds, secure);
  }

  private static String cookie(String name, String value, long seconds, boolean secure) {
    return "%s=%s; Path=/; Max-Age=%d; SameSite=Lax%s"
        .formatted(name, value, seconds, secure ? "; Secure" : "");
  }
}
