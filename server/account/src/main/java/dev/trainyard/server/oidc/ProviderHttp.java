package dev.trainyard.server.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP client for the provider. Limits the time and size of responses, and does not follow
 * redirects. Thread-safe.
 */
final class ProviderHttp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderHttp.class);
  private static final int MAX_RESPONSE_LENGTH = 1 << 20;
  private static final int MAX_LOGGED_LENGTH = 500;

  private final String issuer;
  private final Duration timeout;
  private final HttpClient http;

  ProviderHttp(String issuer, Duration timeout) {
    this.issuer = issuer;
    this.timeout = timeout;
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(ProxySelector.getDefault())
            .build();
  }

  /**
   * Sends a request and returns the JSON object of the response; throws if the status is not 200.
   */
  JsonNode requestObject(HttpRequest.Builder builder) {
    HttpRequest request = builder.header("Accept", "application/json").build();
    HttpResponse<byte[]> response = send(request);
    JsonNode body = parse(response.body());
    if (response.statusCode() == 200 && body.isObject()) {
      return body;
    }
    String error = body.path("error").asText();
    String errorSuffix = error.matches("[a-z_]{1,40}") ? " " + error : "";
    LOG.warn(
        "{} returned {}{}: {}",
        request.uri(),
        response.statusCode(),
        errorSuffix,
        sanitize(body.path("error_description").asText(), MAX_LOGGED_LENGTH));
    throw unusableResponse(request.uri(), response.statusCode() + errorSuffix);
  }

  private static JsonNode parse(byte[] body) {
    try {
      JsonNode node = Json.MAPPER.readTree(body);
      return node == null ? Json.MAPPER.missingNode() : node;
    } catch (IOException e) {
      return Json.MAPPER.missingNode();
    }
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> future =
        http.sendAsync(
            request,
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofByteArray(), MAX_RESPONSE_LENGTH));
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      future.cancel(true);
      LOG.warn("request to {} failed", request.uri(), e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
    }
    throw new AppException(
        ErrorCode.UNAVAILABLE, Message.of("error.oidc-unreachable", "issuer", issuer));
  }

  /**
   * Returns the exception for an unusable response. Its details are intended for the administrator
   * who configured the provider.
   */
  static AppException unusableResponse(URI address, String detail) {
    return new AppException(
        ErrorCode.FORBIDDEN,
        Message.of("error.oidc-answer", "address", address.toString()).with("what", detail));
  }

  /** Sanitizes external text for display in one line. */
  static String sanitize(String text, int maxLength) {
    String line = text.replaceAll("[\\p{Cntrl}\\p{Cf}]+", " ").strip();
    return line.length() > maxLength ? line.substring(0, maxLength) : line;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
