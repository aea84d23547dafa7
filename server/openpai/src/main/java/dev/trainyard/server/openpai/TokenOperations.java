package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenKind;
import dev.trainyard.server.token.TokenService;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /tokens}: the caller's own tokens. */
final class TokenOperations implements OpenPaiRoutes.Source {
  private final TokenService tokens;
  private final ApplicationTokens applicationTokens;

  TokenOperations(TokenService tokens, ApplicationTokens applicationTokens) {
    this.tokens = tokens;
    this.applicationTokens = applicationTokens;
  }

  @Override
  public List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (String path : List.of("/tokens", "/token")) {
      operations.add(v2("GET", path, Guard.PERSON, this::list));
      operations.add(v1("GET", path, Guard.PERSON, this::list));
      operations.add(v2("POST", path + "/application", Guard.PERSON, this::create));
      operations.add(v1("POST", path + "/application", Guard.PERSON, this::create));
      operations.add(v2("GET", path + "/check", Guard.TOKEN, this::check));
      operations.add(v1("GET", path + "/check", Guard.TOKEN, this::check));
      operations.add(v2("DELETE", path + "/:token", Guard.PERSON, this::revoke));
      operations.add(v1("DELETE", path + "/:token", Guard.PERSON, this::revoke));
    }
    return operations;
  }

  private Object list(PaiRequest request) {
    Caller caller = request.caller();
    return Map.of(
        "tokens",
        applicationTokens.list(caller.userId()).stream()
            .filter(token -> token.kind() != TokenKind.LOCAL)
            .map(token -> Jwt.listed(token, caller.userName()))
            .toList());
  }

  private Object create(PaiRequest request) {
    IssuedToken token =
        applicationTokens.create(
            Actor.of(request.request()), "OpenPAI", Scope.ALL, Optional.empty());
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("token", Jwt.of(token, request.caller().userName()));
    response.put("application", true);
    return response;
  }

  private Object revoke(PaiRequest request) {
    Caller caller = request.caller();
    String token = request.path("token");
    String id =
        Jwt.listedId(token)
            .or(() -> tokens.callerOf(token).map(Caller::tokenId))
            .orElseThrow(PaiException::badToken);
    try {
      applicationTokens.revoke(Actor.of(request.request()), caller.userId(), caller.userName(), id);
    } catch (AppException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        throw PaiException.forbidden("User is not allowed to revoke the token.");
      }
      throw e;
    }
    return Map.of("message", "revoke successfully");
  }

  private Object check(PaiRequest request) {
    Caller caller = request.caller();
    Map<String, Object> response =
        tokens
            .find(caller.tokenId())
            .map(token -> Jwt.claims(token, caller.userName()))
            .orElseThrow(PaiException::badToken);
    response.put("admin", caller.admin());
    return response;
  }
}
