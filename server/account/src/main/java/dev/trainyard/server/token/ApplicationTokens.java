package dev.trainyard.server.token;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.ForeignAccess;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Scope;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Application tokens, and the list of all tokens of a user. Thread-safe. */
public final class ApplicationTokens {
  private static final int MAX_PER_USER = 100;

  private final Db db;
  private final TokenService tokens;
  private final Audit audit;
  private final ForeignAccess foreignAccess;
  private final Clock clock;

  public ApplicationTokens(Db db, TokenService tokens, Clock clock) {
    this.db = db;
    this.tokens = tokens;
    this.audit = new Audit(clock);
    this.foreignAccess = new ForeignAccess(db, clock);
    this.clock = clock;
  }

  /**
   * Creates an application token for the actor.
   *
   * @param lifetime time until the token expires; empty if it never expires
   */
  public IssuedToken create(Actor actor, String name, Scope scope, Optional<Duration> lifetime) {
    TokenService.TokenRequest tokenRequest =
        new TokenService.TokenRequest(
            actor.userId(),
            TokenKind.APPLICATION,
            name,
            scope,
            lifetime.map(span -> clock.instant().plus(span)));
    return tokens.issue(
        tokenRequest,
        (handle, info) -> {
          if (TokenStore.count(handle, actor.userId(), TokenKind.APPLICATION) > MAX_PER_USER) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-tokens", "most", MAX_PER_USER));
          }
          audit.record(
              handle, actor, "token.create", target(info), Map.of(), view(actor.userName(), info));
        });
  }

  /** Returns all valid tokens of a user, newest first. */
  public List<TokenInfo> list(String userId) {
    return db.read(handle -> TokenStore.listOf(handle, userId, clock.instant()));
  }

  /** Lists the valid tokens of another user for an administrator, newest first. */
  public List<TokenInfo> list(Caller caller, String userId, String userName) {
    foreignAccess.recordRead(caller, userId, "token.read", "user:" + userName);
    return list(userId);
  }

  /** Revokes a token of this user immediately. */
  public void revoke(Actor actor, String userId, String userName, String tokenId) {
    db.write(
        handle -> {
          TokenInfo info = load(handle, userId, tokenId);
          TokenStore.delete(handle, tokenId);
          audit.record(handle, actor, "token.revoke", target(info), view(userName, info), Map.of());
          return null;
        });
    tokens.forgetUser(userId);
  }

  private static TokenInfo load(Handle handle, String userId, String tokenId) {
    return TokenStore.findInfo(handle, tokenId)
        .filter(info -> TokenStore.holder(handle, info.id()).equals(Optional.of(userId)))
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.NOT_FOUND, Message.of("error.no-token", "token", tokenId)));
  }

  private static String target(TokenInfo info) {
    return "token:" + info.id();
  }

  private static Map<String, Object> view(String userName, TokenInfo info) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("user", userName);
    view.put("kind", info.kind().label());
    view.put("name", info.name());
    view.put("scope", info.scope().label());
    view.put("expires", info.expires().orElse(null));
    return view;
  }
}
