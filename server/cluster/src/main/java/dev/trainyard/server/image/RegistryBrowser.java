package dev.trainyard.server.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Lists the repositories and tags of a registry through version 2 of the registry API. Sends
 * requests only to registries that an administrator configured, follows no redirects, and contacts
 * other hosts only to fetch a token. The size and the duration of responses are limited.
 * Thread-safe.
 */
final class RegistryBrowser implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_RESPONSE_LENGTH = 4 << 20;

  private final HttpClient http;
  private final Predicate<String> isInternal;

  RegistryBrowser() {
    this(HttpClient.newBuilder(), SsrfGuard::isInternal);
  }

  /**
   * @param isInternal returns whether a host is internal; a registry must not refer to an internal
   *     host
   */
  RegistryBrowser(HttpClient.Builder http, Predicate<String> isInternal) {
    this.http = http.connectTimeout(TIMEOUT).followRedirects(HttpClient.Redirect.NEVER).build();
    this.isInternal = isInternal;
  }

  /** A page of names, and whether there are more. */
  record Page(List<String> names, boolean more) {}

  Page repositories(
      Registry registry, Optional<RegistryLogin> login, Optional<String> after, int limit) {
    return page(registry, login, "/v2/_catalog", "repositories", after, limit);
  }

  Page tags(
      Registry registry,
      Optional<RegistryLogin> login,
      String repository,
      Optional<String> after,
      int limit) {
    String path = "/v2/" + repository + "/tags/list";
    return page(registry, login, path, "tags", after, limit);
  }

  private Page page(
      Registry registry,
      Optional<RegistryLogin> login,
      String path,
      String field,
      Optional<String> after,
      int limit) {
    String query = "?n=" + limit + after.map(name -> "&last=" + encode(name)).orElse("");
    URI address = URI.create(baseUrl(registry) + path + query);
    JsonNode body = fetchJson(registry, login, address);
    List<String> names = new ArrayList<>();
    body.path(field).forEach(name -> names.add(name.asText()));
    boolean hasMore = names.size() >= limit;
    return new Page(hasMore ? names.subList(0, limit) : names, hasMore);
  }

  private static String baseUrl(Registry registry) {
    String host =
        registry.host().equals(ImageReference.DOCKER_HUB)
            ? "registry-1.docker.io"
            : registry.host();
    return (registry.plainHttp() ? "http://" : "https://") + host;
  }

  private JsonNode fetchJson(Registry registry, Optional<RegistryLogin> login, URI address) {
    Response response = send(registry, address, Optional.empty());
    if (response.status() == 401 && response.challenge().isPresent()) {
      Optional<String> credentials = credentials(registry, login, response.challenge().get());
      response = credentials.isPresent() ? send(registry, address, credentials) : response;
    }
    return switch (response.status()) {
      case 200 -> response.json();
      case 401, 403 ->
          throw registryError(ErrorCode.CONFLICT, "error.registry-login-refused", registry, "");
      case 404 -> throw registryError(ErrorCode.NOT_FOUND, "error.registry-has-none", registry, "");
      default -> throw unreachable(registry, "status " + response.status());
    };
  }

  /** Returns the credentials for a registry that requires authentication. */
  private Optional<String> credentials(
      Registry registry, Optional<RegistryLogin> login, RegistryChallenge challenge) {
    if (challenge.isBasic()) {
      return login.map(RegistryBrowser::basic);
    }
    Optional<URI> realm = challenge.tokenAddress(registry, isInternal);
    if (realm.isEmpty()) {
      throw unreachable(
          registry, "it refers clients to another host without HTTPS or to an internal address");
    }
    Response tokenResponse = send(registry, realm.get(), login.map(RegistryBrowser::basic));
    if (tokenResponse.status() != 200) {
      return Optional.empty();
    }
    JsonNode body = tokenResponse.json();
    String token = body.path("token").asText(body.path("access_token").asText());
    return token.isEmpty() ? Optional.empty() : Optional.of("Bearer " + token);
  }

  private static String basic(RegistryLogin login) {
    String userAndPassword = login.user() + ":" + login.password();
    return "Basic "
        + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
  }

  private record Response(int status, Optional<RegistryChallenge> challenge, String body) {
    JsonNode json() {
      try {
        return Json.MAPPER.readTree(body);
      } catch (IOException e) {
        return Json.MAPPER.missingNode();
      }
    }
  }

  private Response send(Registry registry, URI address, Optional<String> credentials) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).timeout(TIMEOUT).header("Accept", "application/json");
    credentials.ifPresent(text -> request.header("Authorization", text));
    Requester.current().endTurn();
    CompletableFuture<HttpResponse<InputStream>> responseFuture =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    CompletableFuture<Response> read =
        responseFuture.thenApplyAsync(
            RegistryBrowser::read, task -> Thread.ofVirtual().start(task));
    try {
      // This timeout includes the body. The timeout of the request covers only the headers.
      return read.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw unreachable(
          registry,
          cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    } catch (TimeoutException e) {
      responseFuture.cancel(true);
      var _ = responseFuture.thenAccept(RegistryBrowser::closeQuietly);
      throw unreachable(registry, "timeout");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(registry, "the server is shutting down");
    }
  }

  private static void closeQuietly(HttpResponse<InputStream> response) {
    try {
      response.body().close();
    } catch (IOException e) {
      // the rest of the response is not needed
    }
  }

  private static Response read(HttpResponse<InputStream> response) {
    try (InputStream in = response.body()) {
      byte[] body = in.readNBytes(MAX_RESPONSE_LENGTH + 1);
      if (body.length > MAX_RESPONSE_LENGTH) {
        throw new IllegalStateException("the response is too long");
      }
      return new Response(
          response.statusCode(),
          response.headers().allValues("WWW-Authenticate").stream()
              .flatMap(text -> RegistryChallenge.parse(text).stream())
              .findFirst(),
          new String(body, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static AppException unreachable(Registry registry, String detail) {
    // Reports CONFLICT, because this is neither a server error nor a short-term condition, so
    // clients should not retry immediately.
    return registryError(ErrorCode.CONFLICT, "error.registry-unreachable", registry, detail);
  }

  private static AppException registryError(
      ErrorCode code, String message, Registry registry, String detail) {
    return new AppException(
        code, Message.of(message, "registry", registry.host()).with("detail", detail));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
