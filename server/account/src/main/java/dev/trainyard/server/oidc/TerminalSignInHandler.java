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
  private final Map<String, PendingCode> pendingCodes =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PendingCode> eldest) {
          return size() > MAX_CODES;
        }
      };

  private record PendingCode(String userId, String userName, String challenge, Instant expires) {}

  TerminalSignInHandler(UserService users, InstantSource clock) {
    this.users = users;
    this.clock = clock;
  }

  @Override
  public boolean accepts(String challenge) {
    return CHALLENGE.matcher(challenge).matches();
  }

  @Override
  public Reply signedIn(String challenge, User user, Request request) {
    String code = users.passwords().generate();
    Instant expires = clock.instant().plus(LIFETIME);
    synchronized (pendingCodes) {
      pendingCodes.put(code, new PendingCode(user.id(), user.name(), challenge, expires));
    }
    Message message = Message.of("notice.oidc-terminal", "user", user.name()).with("code", code);
    return PlainPage.of(200, message, request);
  }

  /** Returns the user for whom the code was displayed, and invalidates the code. */
  User redeem(String code, String verifier) {
    PendingCode pendingCode;
    synchronized (pendingCodes) {
      pendingCode = pendingCodes.remove(code);
    }
    if (pendingCode == null
        || !clock.instant().isBefore(pendingCode.expires())
        || !AuthorizationRequest.challenge(verifier).equals(pendingCode.challenge())) {
      throw invalidCode();
    }
    return users
        .find(pendingCode.userName())
        .filter(user -> user.id().equals(pendingCode.userId()) && !user.disabled())
        .orElseThrow(TerminalSignInHandler::invalidCode);
  }

  private static AppException invalidCode() {
    return new AppException(ErrorCode.WRONG_CREDENTIALS, Message.of("error.oidc-code"));
  }
}
