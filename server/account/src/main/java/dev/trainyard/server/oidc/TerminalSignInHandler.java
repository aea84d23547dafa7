package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Completes the sign-in of a terminal, which may run on a host without a browser: the page displays
 * a code that the user copies into the terminal. A code can be redeemed once, within a few minutes,
 * and only by the terminal that requested it, because only that terminal knows the verifier of the
 * challenge. Thread-safe.
 */
final class TerminalSignInHandler implements SignInHandler {
  private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final Duration LIFETIME = Duration.ofMinutes(5);
  private static final int MAX_CODES = 10_000;

  private final UserService users;
  private final InstantSource clock;

  /** Completed sign-ins by code; the oldest entries are evicted first. */
  private final Map<String, Arrival> arrivals =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Arrival> eldest) {
          return size() > MAX_CODES;
        }
      };

  private record Arrival(String userId, String userName, String challenge, Instant expires) {}

  TerminalSignInHandler(UserService users, InstantSource clock) {
    this.users = users;
    this.clock = clock;
  }

  @Override
  public boolean accepts(String to) {
    return CHALLENGE.matcher(to).matches();
  }

  @Override
  public Reply arrived(String to, User user, Request request) {
    String code = users.passwords().generate();
    Instant expires = clock.instant().plus(LIFETIME);
    synchronized (arrivals) {
      arrivals.put(code, new Arrival(user.id(), user.name(), to, expires));
    }
    Message message = Message.of("notice.oidc-terminal", "user", user.name()).with("code", code);
    return PlainPage.of(200, message, request);
  }

  /** Returns the user for whom the code was displayed. */
  User redeem(String code, String verifier) {
    Arrival arrival;
    synchronized (arrivals) {
      arrival = arrivals.remove(code);
    }
    if (arrival == null
        || !clock.instant().isBefore(arrival.expires())
        || !AuthorizationRequest.challenge(verifier).equals(arrival.challenge())) {
      throw refused();
    }
    return users
        .find(arrival.userName())
        .filter(user -> user.id().equals(arrival.userId()) && !user.disabled())
        .orElseThrow(TerminalSignInHandler::refused);
  }

  private static AppException refused() {
    return new AppException(ErrorCode.WRONG_CREDENTIALS, Message.of("error.oidc-code"));
  }
}
