package dev.trainyard.server.token;

import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Outages;
import dev.trainyard.server.http.Authenticator;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.work.Requester;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues, verifies and revokes tokens. Thread-safe. */
public final class TokenService implements Authenticator {
  private static final Logger LOG = LoggerFactory.getLogger(TokenService.class);
  private static final int SECRET_BYTES = 32;

  /** Maximum number of sessions of a user; a program may sign in for each request. */
  static final int MAX_SESSIONS = 100;

  private static final int MAX_TOKEN_LENGTH = 200;
  private static final Duration USE_RECORD_INTERVAL = Duration.ofMinutes(1);
  private static final Duration USE_RECORD_BACKOFF = Duration.ofSeconds(10);

  private final Db db;
  private final Clock clock;
  private final Duration sessionLifetime;
  private final Consumer<String> signInLimit;
  private final SecureRandom random = new SecureRandom();
  private final TokenCache cache = new TokenCache();
  private final Audit audit;
  private final Ulid ids;

  /** Time until which no use is recorded, because the last attempt to record one failed. */
  private volatile Instant useRecordsResume = Instant.MIN;

  /** Authenticates job tokens; set once, before the first request. */
  private volatile Authenticator jobAuthenticator = _ -> Optional.empty();

  public TokenService(Db db, Clock clock, Duration sessionLifetime) {
    this(db, clock, sessionLifetime, userId -> {});
  }

  /**
   * @param signInLimit called with the ID of a user who signs in; throws if the user has signed in
   *     too often
   */
  public TokenService(Db db, Clock clock, Duration sessionLifetime, Consumer<String> signInLimit) {
    this.db = db;
    this.clock = clock;
    this.sessionLifetime = sessionLifetime;
    this.signInLimit = signInLimit;
    this.audit = new Audit(clock);
    this.ids = new Ulid(clock);
  }

  public Duration sessionLifetime() {
    return sessionLifetime;
  }

  /**
   * Issues a session token to an authenticated user. Above {@link #MAX_SESSIONS}, ends other
   * sessions of this user.
   */
  public IssuedToken issueSession(String userId, String userName, String address) {
    signInLimit.accept(userId);
    Optional<Instant> expires = Optional.of(clock.instant().plus(sessionLifetime));
    IssuedToken session =
        issue(
            new TokenRequest(userId, TokenKind.SESSION, "", Scope.ALL, expires),
            (handle, info) -> {
              TokenStore.deleteSessionsAbove(handle, userId, info.id(), MAX_SESSIONS);
              TokenStore.recordSignIn(handle, userId, info.created());
              audit.record(
                  handle,
                  new Actor(userId, userName, info.id(), address),
                  "session.create",
                  "user:" + userName,
                  Map.of(),
                  Map.of());
            });
    forgetUser(userId); // the cache may contain a session that was ended
    return session;
  }

  /** Issues the local token, and deletes the local tokens of earlier server starts. */
  public IssuedToken issueLocal(String userId) {
    return issue(
        new TokenRequest(userId, TokenKind.LOCAL, "", Scope.ALL, Optional.empty()),
        (handle, info) -> TokenStore.deleteOthers(handle, info));
  }

  /** A token to be issued. */
  record TokenRequest(
      String userId, TokenKind kind, String name, Scope scope, Optional<Instant> expires) {}

  /** Additional writes in the transaction that stores a token. */
  interface AdditionalWrites {
    void write(Handle handle, TokenInfo info);
  }

  IssuedToken issue(TokenRequest tokenRequest, AdditionalWrites additionalWrites) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Instant now = clock.instant();
    TokenInfo info =
        new TokenInfo(
            ids.next(),
            tokenRequest.kind(),
            tokenRequest.name(),
            tokenRequest.scope(),
            now,
            tokenRequest.expires(),
            now);
    db.write(
        handle -> {
          TokenStore.deleteExpired(handle, now);
          TokenStore.insert(handle, tokenRequest.userId(), hash(secret), info);
          additionalWrites.write(handle, info);
          return null;
        });
    return new IssuedToken(secret, info);
  }

  /** Sets the authenticator for {@link JobTokens}. */
  public void setJobAuthenticator(Authenticator authenticator) {
    jobAuthenticator = authenticator;
  }

  @Override
  public Optional<Caller> callerOf(String bearerToken) {
    if (bearerToken.startsWith(JobTokens.PREFIX)) {
      return jobAuthenticator.callerOf(bearerToken);
    }
    // OpenPAI clients receive the token in the form of a JWT, whose last part is the actual token.
    String token = bearerToken.substring(bearerToken.lastIndexOf('.') + 1);
    if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    String hash = hash(token);
    Optional<TokenStore.StoredToken> storedToken = cache.find(hash, now);
    if (storedToken.isEmpty()) {
      long generation = cache.generation();
      storedToken = db.read(handle -> TokenStore.find(handle, hash));
      storedToken.ifPresent(loaded -> cache.put(hash, loaded, now, generation));
    }
    return storedToken
        .filter(validToken -> validToken.expires().map(now::isBefore).orElse(true))
        .map(
            validToken -> {
              recordUse(hash, validToken, now);
              return validToken.caller();
            });
  }

  /**
   * Records that a token is used, which extends the lifetime of a session. The time is accurate
   * only to a minute, so that most requests need no write. If the database cannot be written, the
   * caller is still accepted, and a later use is recorded.
   */
  private void recordUse(String hash, TokenStore.StoredToken storedToken, Instant now) {
    if (storedToken.lastUsed().plus(USE_RECORD_INTERVAL).isAfter(now)
        || now.isBefore(useRecordsResume)) {
      return;
    }
    Requester.current().identify(Requester.userKey(storedToken.caller().userId()));
    try {
      storeUse(hash, storedToken, now);
    } catch (RuntimeException e) {
      if (Outages.kind(e).isEmpty()) {
        throw e;
      }
      useRecordsResume = now.plus(USE_RECORD_BACKOFF);
      LOG.warn("failed to record the use of a token; will retry in {}", USE_RECORD_BACKOFF, e);
    }
  }

  private void storeUse(String hash, TokenStore.StoredToken storedToken, Instant now) {
    Optional<Instant> expires =
        storedToken.kind() == TokenKind.SESSION
            ? Optional.of(now.plus(sessionLifetime))
            : storedToken.expires();
    long generation = cache.generation();
    db.write(
        handle -> {
          TokenStore.markUsed(handle, storedToken.caller().tokenId(), now, expires);
          return null;
        });
    cache.put(
        hash,
        new TokenStore.StoredToken(storedToken.caller(), storedToken.kind(), expires, now),
        now,
        generation);
  }

  public Optional<TokenInfo> find(String tokenId) {
    return db.read(handle -> TokenStore.findInfo(handle, tokenId));
  }

  /** Ends the session of the actor. */
  public void endSession(Actor actor) {
    db.write(
        handle -> {
          TokenStore.delete(handle, actor.tokenId());
          String auditTarget = "user:" + actor.userName();
          audit.record(handle, actor, "session.delete", auditTarget, Map.of(), Map.of());
          return null;
        });
    forgetUser(actor.userId());
  }

  /**
   * Revokes all tokens of a user in the caller's transaction. The caller must call {@link
   * #forgetUser} after the commit.
   */
  public static void revokeAll(Handle handle, String userId) {
    TokenStore.deleteOf(handle, userId);
  }

  /** Like {@link #revokeAll}, but revokes only sessions, and keeps the given token. */
  public static void revokeOtherSessions(Handle handle, String userId, String tokenId) {
    TokenStore.deleteSessionsOf(handle, userId, tokenId);
  }

  /** Like {@link #revokeAll}, but keeps the given token. */
  public static void revokeOthers(Handle handle, String userId, String tokenId) {
    TokenStore.deleteOthersOf(handle, userId, tokenId);
  }

  /** Removes all tokens of this user from the cache. */
  public void forgetUser(String userId) {
    cache.forgetUser(userId);
  }

  private static String hash(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the time of the last sign-in of each user, by user ID. Users who have never signed in
   * are omitted.
   */
  public Map<String, Instant> lastSignInByUser() {
    return db.read(TokenStore::lastSignInByUser);
  }

  /** Returns the time at which any existing token of a user was last used, by user ID. */
  public Map<String, Instant> lastUsedByUser() {
    return db.read(TokenStore::lastUsedByUser);
  }
}
