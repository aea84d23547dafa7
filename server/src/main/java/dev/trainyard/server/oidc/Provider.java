package dev.trainyard.server.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The provider as seen from here: where it sends people, what it says about them. Asked only when
 * somebody signs in. Thread-safe.
 */
final class Provider {
  private static final Logger LOG = LoggerFactory.getLogger(Provider.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_ANSWER = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final OidcConfig config;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private volatile Metadata known;

  Provider(OidcConfig config) {
    this.config = config;
  }

  /** Where the provider keeps what. */
  private record Metadata(
      URI authorization, URI token, Optional<URI> userInfo, boolean secretInBody, IdTokens keys) {}

  /** Where a person goes to say who they are. */
  URI signInAddress(Visit visit) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", config.clientId());
    query.put("redirect_uri", config.returnAddress().toString());
    query.put("scope", config.scopes());
    query.put("state", visit.state());
    query.put("nonce", visit.nonce());
    query.put("code_challenge", visit.challenge());
    query.put("code_challenge_method", "S256");
    URI address = metadata().authorization();
    return URI.create(address + (address.getRawQuery() == null ? "?" : "&") + form(query));
  }

  /** Redeems what a person brought back. */
  Person person(Visit visit, String code) {
    Metadata provider = metadata();
    JsonNode answer = post(provider, redemption(provider, visit, code));
    JWTClaimsSet proof;
    try {
      proof = provider.keys().verified(answer.path("id_token").asText(), visit.nonce());
    } catch (ParseException | BadJOSEException | JOSEException e) {
      throw refused("its proof does not hold: " + e.getMessage());
    }
    Map<String, Object> claims = new HashMap<>(proof.getClaims());
    if (!claims.containsKey(config.userClaim()) || !claims.containsKey(config.groupsClaim())) {
      userInfo(provider, answer.path("access_token").asText(), proof.getSubject())
          .forEach(claims::putIfAbsent);
    }
    return new Claims(config, claims).person(proof.getSubject());
  }

  private Map<String, String> redemption(Metadata provider, Visit visit, String code) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", config.returnAddress().toString());
    form.put("code_verifier", visit.verifier());
    if (config.clientSecret().isEmpty() || provider.secretInBody()) {
      form.put("client_id", config.clientId());
      config.clientSecret().ifPresent(secret -> form.put("client_secret", secret));
    }
    return form;
  }

  private JsonNode post(Metadata provider, Map<String, String> form) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(provider.token())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(form)));
    if (config.clientSecret().isPresent() && !provider.secretInBody()) {
      String pair = encoded(config.clientId()) + ":" + encoded(config.clientSecret().get());
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }
    return answer(request);
  }

  private Map<String, Object> userInfo(Metadata provider, String accessToken, String subject) {
    if (provider.userInfo().isEmpty() || accessToken.isEmpty()) {
      return Map.of();
    }
    JsonNode told =
        answer(
            HttpRequest.newBuilder(provider.userInfo().get())
                .header("Authorization", "Bearer " + accessToken)
                .GET());
    if (!told.path("sub").asText().equals(subject)) {
      throw refused("it speaks of two people at once");
    }
    Map<String, Object> claims = new HashMap<>();
    told.properties()
        .forEach(
            field -> claims.put(field.getKey(), JSON.convertValue(field.getValue(), Object.class)));
    return claims;
  }

  private Metadata metadata() {
    Metadata now = known;
    if (now == null) {
      now = discovered();
      known = now;
    }
    return now;
  }

  private Metadata discovered() {
    JsonNode told = answer(HttpRequest.newBuilder(config.discovery()).GET());
    if (!told.path("issuer").asText().equals(config.issuer())) {
      throw refused("it calls itself " + told.path("issuer").asText());
    }
    List<String> methods =
        JSON.convertValue(
            told.path("token_endpoint_auth_methods_supported").isArray()
                ? told.path("token_endpoint_auth_methods_supported")
                : JSON.createArrayNode().add("client_secret_basic"),
            JSON.getTypeFactory().constructCollectionType(List.class, String.class));
    return new Metadata(
        address(told, "authorization_endpoint"),
        address(told, "token_endpoint"),
        told.hasNonNull("userinfo_endpoint")
            ? Optional.of(address(told, "userinfo_endpoint"))
            : Optional.empty(),
        !methods.contains("client_secret_basic") && methods.contains("client_secret_post"),
        new IdTokens(config, address(told, "jwks_uri")));
  }

  private URI address(JsonNode told, String name) {
    try {
      URI address = URI.create(told.path(name).asText());
      if ("https".equals(address.getScheme()) || "http".equals(address.getScheme())) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("not an address: {}", told.path(name));
    }
    throw refused("it has no " + name);
  }

  private JsonNode answer(HttpRequest.Builder request) {
    HttpRequest asked = request.timeout(PATIENCE).header("Accept", "application/json").build();
    try {
      HttpResponse<java.io.InputStream> response =
          http.send(asked, HttpResponse.BodyHandlers.ofInputStream());
      byte[] body;
      try (var stream = response.body()) {
        body = stream.readNBytes(LONGEST_ANSWER);
      }
      if (response.statusCode() != 200) {
        LOG.warn(
            "{} answered {}: {}",
            asked.uri(),
            response.statusCode(),
            new String(body, 0, Math.min(500, body.length), StandardCharsets.UTF_8));
        throw refused("it answered " + response.statusCode());
      }
      return JSON.readTree(body);
    } catch (IOException e) {
      LOG.warn("{} can't be asked", asked.uri(), e);
      throw refused("it can't be reached");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused("the server ends");
    }
  }

  private static String form(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static AppException refused(String why) {
    return new AppException(
        ErrorCode.WRONG_CREDENTIALS, Message.of("error.oidc-provider", "detail", why));
  }
}
