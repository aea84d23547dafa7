package dev.trainyard.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.trainyard.server.http.Json;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider that accepts every user, but checks everything that a provider has to check of its
 * client.
 */
final class FakeProvider implements AutoCloseable {
  static final String CLIENT = "trainyard";
  static final String SECRET = "a secret: with signs&";

  private static final RSAKey FIRST_KEY = key("first");

  final AtomicInteger keyFetches = new AtomicInteger();
  final AtomicInteger discoveries = new AtomicInteger();
  final Map<String, Object> metadata = new ConcurrentHashMap<>();
  final Map<String, Object> userInfo = new ConcurrentHashMap<>();
  private final Clock clock;
  private final HttpServer server;
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final AtomicInteger codes = new AtomicInteger();
  private volatile Object lastSubject = "";
  private volatile RSAKey signs = FIRST_KEY;
  private volatile JWKSet published = new JWKSet(FIRST_KEY);

  private record Grant(Map<String, String> requestParameters, Map<String, Object> claims) {}

  FakeProvider(Clock clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/.well-known/openid-configuration", this::discovery);
    server.createContext("/keys", this::keys);
    server.createContext("/token", this::token);
    server.createContext("/me", this::userInfo);
    server.start();
    metadata.put("issuer", issuer());
    metadata.put("authorization_endpoint", issuer() + "/auth?tenant=1");
    metadata.put("token_endpoint", issuer() + "/token");
    metadata.put("jwks_uri", issuer() + "/keys");
    metadata.put("userinfo_endpoint", issuer() + "/me");
    metadata.put("end_session_endpoint", issuer() + "/end");
  }

  static RSAKey key(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Signs with a new key from now on, and forgets the old one. */
  void rotate() {
    signs = key("second");
    published = new JWKSet(signs);
  }

  /** Simulates a user who opens the URL and signs in; returns the authorization code. */
  String authorize(URI address, Map<String, Object> claims) {
    Map<String, String> requestParameters = new HashMap<>();
    new QueryStringDecoder(address.toString())
        .parameters()
        .forEach((name, values) -> requestParameters.put(name, values.getFirst()));
    String code = "code" + codes.incrementAndGet();
    grants.put(code, new Grant(requestParameters, claims));
    return "code=" + code + "&state=" + requestParameters.get("state");
  }

  private void discovery(HttpExchange exchange) throws IOException {
    discoveries.incrementAndGet();
    respond(exchange, 200, metadata);
  }

  private void keys(HttpExchange exchange) throws IOException {
    keyFetches.incrementAndGet();
    respond(exchange, 200, published.toJSONObject());
  }

  /** Returns claims about the user who signed in last. */
  private void userInfo(HttpExchange exchange) throws IOException {
    Map<String, Object> document = new HashMap<>(Map.of("sub", lastSubject));
    document.putAll(userInfo);
    respond(exchange, 200, document);
  }

  private void token(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, List<String>> form = new QueryStringDecoder("?" + body).parameters();
    String pair = "trainyard:a+secret%3A+with+signs%26";
    String basic =
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    if (!basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      respond(exchange, 401, Map.of("error", "invalid_client"));
      return;
    }
    // Each code can be redeemed once.
    Grant grant = grants.remove(form.get("code").getFirst());
    if (grant == null
        || !AuthorizationRequest.challenge(form.get("code_verifier").getFirst())
            .equals(grant.requestParameters().get("code_challenge"))
        || !form.get("redirect_uri")
            .getFirst()
            .equals(grant.requestParameters().get("redirect_uri"))) {
      respond(exchange, 400, Map.of("error", "invalid_grant"));
      return;
    }
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("nonce", grant.requestParameters().get("nonce"));
    claims.putAll(grant.claims());
    lastSubject = claims.get("sub");
    respond(exchange, 200, Map.of("access_token", "access", "id_token", idToken(claims)));
  }

  /** Creates an ID token with the usual claims, unless the given claims override them. */
  String idToken(Map<String, Object> claims) {
    JWTClaimsSet.Builder set =
        new JWTClaimsSet.Builder()
            .issuer(issuer())
            .audience(CLIENT)
            .issueTime(Date.from(clock.instant()))
            .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(5))));
    claims.forEach(set::claim);
    return signed(set.build());
  }

  String signed(JWTClaimsSet claims) {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(signs.getKeyID()).build(), claims);
    try {
      token.sign(new RSASSASigner(signs));
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
    return token.serialize();
  }

  private static void respond(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.MAPPER.writeValueAsBytes(body);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
