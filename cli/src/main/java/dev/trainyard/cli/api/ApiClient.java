package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;

/**
 * Client for the native API of one server with the credentials of one caller. An error response is
 * thrown as the {@link AppException} that the server reported. Uses HttpURLConnection because
 * HttpClient takes three times as long to start.
 */
public final class ApiClient {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final int RESPONSE_TIMEOUT_MILLIS = 60_000;
  private static final String RETRY_AFTER = "Retry-After";
  private static final Duration PROOF_TIMEOUT = Duration.ofSeconds(2);
  private static final int PROOF_RETRY_MILLIS = 100;

  static {
    // Without this setting, Java repeats a POST after a lost connection, which could submit a job
    // twice. Streaming the body would also prevent this, but then the body of a 401 response could
    // not be read.
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private final URI base;
  private final Trust trust;
  private final Supplier<String> tokenSupplier;
  private final RateLimitRetry rateLimitRetry;
  private final Supplier<Optional<ProofKey>> proofKey;
  private volatile String token;
  private volatile boolean verified;

  public ApiClient(URI base, String token, Trust trust) {
    this(base, token, trust, () -> token, Optional::empty, RateLimitRetry.QUIET);
  }

  /** Returns a client for a local server, without signing in. */
  public static ApiClient of(LocalServer server) {
    return new ApiClient(
        server.address(), "", server.trust(), () -> "", server::proofKey, RateLimitRetry.QUIET);
  }

  /**
   * @param tokenSupplier supplies a token when the server rejects the current one: a local server
   *     issues a new token at each start, and a command may outlive a restart
   * @param proofKey supplies the key with which a local server must prove its identity before this
   *     client sends it a token, because another program may have taken over the port; empty for
   *     other servers
   * @param rateLimitRetry repeats requests that exceed a rate limit
   */
  public ApiClient(
      URI base,
      String token,
      Trust trust,
      Supplier<String> tokenSupplier,
      Supplier<Optional<ProofKey>> proofKey,
      RateLimitRetry rateLimitRetry) {
    this.base = base;
    this.proofKey = proofKey;
    this.token = token;
    this.trust = trust;
    this.tokenSupplier = tokenSupplier;
    this.rateLimitRetry = rateLimitRetry;
  }

  public URI base() {
    return base;
  }

  public Json read(String path) {
    return send("GET", path, null);
  }

  public Json post(String path, Map<String, ?> fields) {
    return send("POST", path, toJson(fields));
  }

  public Json put(String path, Map<String, ?> fields) {
    return send("PUT", path, toJson(fields));
  }

  public void delete(String path) {
    send("DELETE", path, null);
  }

  /** Sends a request with any body; the result is empty if the response has no body. */
  public Json send(String method, String path, byte[] body) {
    return send(method, path, body, RESPONSE_TIMEOUT_MILLIS);
  }

  /** Like {@link #send(String, String, byte[])}, with a timeout for operations that take long. */
  public Json send(String method, String path, byte[] body, int timeoutMillis) {
    try {
      return sendWithRetry(
          currentToken -> {
            HttpURLConnection connection = connect(method, path, timeoutMillis, currentToken);
            if (body != null) {
              connection.setDoOutput(true);
              connection.setRequestProperty("Content-Type", "application/json");
              try (var out = connection.getOutputStream()) {
                out.write(body);
              }
            }
            int status = connection.getResponseCode();
            byte[] response = readAll(connection, status);
            return parseResponse(status, response, connection.getHeaderField(RETRY_AFTER));
          });
    } catch (IOException e) {
      throw connectionError(e);
    }
  }

  /** Writes the body of an upload. Called again for every retry after a rejected request. */
  public interface Upload {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Sends a body of any length without keeping it in memory. */
  public Json upload(String path, Upload upload, int timeoutMillis) {
    return upload("POST", path, "application/gzip", upload, timeoutMillis);
  }

  /** Like {@link #upload(String, Upload, int)}, for any method and type of content. */
  public Json upload(
      String method, String path, String contentType, Upload upload, int timeoutMillis) {
    try {
      return sendWithRetry(
          currentToken -> {
            HttpURLConnection connection = connect(method, path, timeoutMillis, currentToken);
            connection.setDoOutput(true);
            connection.setChunkedStreamingMode(1 << 16);
            connection.setRequestProperty("Content-Type", contentType);
            try (var out = connection.getOutputStream()) {
              upload.writeTo(out);
            } catch (SocketException e) {
              // The server may have rejected the upload before it received the whole body. If there
              // is no response, this call throws an exception.
              connection.getResponseCode();
            }
            int status = connection.getResponseCode();
            byte[] response = readAll(connection, status);
            return parseResponse(status, response, connection.getHeaderField(RETRY_AFTER));
          });
    } catch (IOException e) {
      throw connectionError(e);
    }
  }

  /** A request that uses a token. */
  private interface Request<T> {
    T send(String token) throws IOException;
  }

  /**
   * Repeats a request that was rejected because of a rate limit or an outdated token. A rejected
   * request has no effect, so this also applies to requests that change data.
   */
  private <T> T sendWithRetry(Request<T> request) throws IOException {
    return rateLimitRetry.run(() -> sendWithToken(request));
  }

  private <T> T sendWithToken(Request<T> request) throws IOException {
    String currentToken = token;
    try {
      return request.send(currentToken);
    } catch (AppException e) {
      String newToken = tokenSupplier.get();
      if (e.code() != ErrorCode.SIGN_IN_REQUIRED
          || newToken.isEmpty()
          || newToken.equals(currentToken)) {
        throw e;
      }
      token = newToken;
      return request.send(newToken);
    }
  }

  /**
   * Sends a PATCH request with HttpClient, because HttpURLConnection does not support it. Only a
   * few commands send PATCH requests, so the longer startup time of HttpClient is acceptable.
   */
  public Json patch(String path, Map<String, ?> fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url(path))
            .header("Content-Type", "application/json")
            .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(toJson(fields)));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    trust.context().ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      verifyServer();
      return rateLimitRetry.run(() -> send(client, request.build()));
    } catch (IOException e) {
      throw connectionError(e);
    }
  }

  private static Json send(HttpClient client, HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      String retryAfter = response.headers().firstValue(RETRY_AFTER).orElse(null);
      return parseResponse(response.statusCode(), response.body(), retryAfter);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /**
   * Opens a response as a stream of bytes. Connection errors remain IOExceptions, so that the
   * caller can reconnect.
   *
   * @param readTimeoutMillis maximum time between two bytes of the stream; after this time, reading
   *     fails
   */
  public Stream open(String path, int readTimeoutMillis) throws IOException {
    return open(path, readTimeoutMillis, "application/json");
  }

  /** Like {@link #open}, for an event stream. */
  public Stream openEvents(String path, int readTimeoutMillis) throws IOException {
    return open(path, readTimeoutMillis, "text/event-stream");
  }

  /**
   * Like {@link #open}, for a POST request; the request is not repeated after a connection failure.
   */
  public Stream openPost(String path, Map<String, ?> fields, int readTimeoutMillis)
      throws IOException {
    return open("POST", path, toJson(fields), readTimeoutMillis, "application/x-ndjson");
  }

  private Stream open(String path, int readTimeoutMillis, String accept) throws IOException {
    return open("GET", path, null, readTimeoutMillis, accept);
  }

  private Stream open(String method, String path, byte[] body, int readTimeoutMillis, String accept)
      throws IOException {
    try {
      return sendWithRetry(
          currentToken -> {
            HttpURLConnection connection = connect(method, path, readTimeoutMillis, currentToken);
            connection.setRequestProperty("Accept", accept);
            if (body != null) {
              connection.setDoOutput(true);
              connection.setRequestProperty("Content-Type", "application/json");
              try (var out = connection.getOutputStream()) {
                out.write(body);
              }
            }
            int status = connection.getResponseCode();
            if (status / 100 != 2) {
              throw ApiError.of(
                  status, readAll(connection, status), connection.getHeaderField(RETRY_AFTER));
            }
            return new Stream(
                connection.getInputStream(), connection.getHeaderFieldLong("X-Log-Offset", 0));
          });
    } catch (IOException e) {
      verified = false;
      throw e;
    }
  }

  /** Opens a WebSocket; an error response of the server is thrown as an exception. */
  public WebSocket socket(String path) {
    try {
      verifyServer();
      return sendWithRetry(
          currentToken ->
              WebSocket.connect(url(path), currentToken, trust, RESPONSE_TIMEOUT_MILLIS));
    } catch (IOException e) {
      throw connectionError(e);
    }
  }

  /** A stream of bytes and the offset of its first byte in the whole file. */
  public record Stream(InputStream bytes, long offset) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }

  /**
   * Returns whether a Trainyard server responds, ready or not. Older servers support only /healthz.
   */
  public boolean isResponding() {
    try {
      if (proofKey.get().isPresent()) {
        return provesIdentity();
      }
      int status = requestStatus("/livez");
      return status == 200
          || (status == HttpURLConnection.HTTP_NOT_FOUND && requestStatus("/healthz") == 200);
    } catch (IOException e) {
      return false;
    }
  }

  private int requestStatus(String path) throws IOException {
    HttpURLConnection connection = connect("GET", path, CONNECT_TIMEOUT_MILLIS, "");
    int status = connection.getResponseCode();
    readAll(connection, status);
    return status;
  }

  /**
   * Requires a local server to prove its identity before the first request and again after a failed
   * connection, because another program may have taken over the port.
   */
  private void verifyServer() throws IOException {
    if (!verified) {
      long deadline = System.nanoTime() + PROOF_TIMEOUT.toNanos();
      while (proofKey.get().isPresent() && !provesIdentity()) {
        if (System.nanoTime() < deadline) {
          // A restarted server writes its new key only after it has started to listen.
          sleepBeforeRetry();
          continue;
        }
        throw new AppException(
            ErrorCode.UNAVAILABLE, Message.of("cli.other-server", "url", base.toString()));
      }
      verified = true;
    }
  }

  private static void sleepBeforeRetry() throws IOException {
    try {
      Thread.sleep(PROOF_RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private boolean provesIdentity() throws IOException {
    String challenge = ServerProof.random();
    HttpURLConnection connection =
        connect("GET", "/livez?challenge=" + challenge, CONNECT_TIMEOUT_MILLIS, "");
    byte[] response = readAll(connection, connection.getResponseCode());
    try {
      Optional<ProofKey> key = proofKey.get();
      return key.isPresent() && key.get().isProven(challenge, Json.parse(response), base);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the health of the components of the server. Requires no sign-in, so it works while the
   * database is unavailable.
   */
  public Json health() {
    try {
      HttpURLConnection connection = connect("GET", "/healthz", CONNECT_TIMEOUT_MILLIS, "");
      return Json.parse(readAll(connection, connection.getResponseCode()));
    } catch (IOException e) {
      throw connectionError(e);
    }
  }

  /** Encodes one segment of a path; "." and ".." are treated as names. */
  public static String encode(String name) {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    return encoded.matches("\\.{1,2}") ? encoded.replace(".", "%2E") : encoded;
  }

  private HttpURLConnection connect(String method, String path, int readTimeoutMillis, String token)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url(path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
    connection.setReadTimeout(readTimeoutMillis);
    // A redirect would send the token to another host.
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Accept", "application/json");
    if (!token.isEmpty() || !"GET".equals(method)) {
      verifyServer(); // a body may contain a password
    }
    if (!token.isEmpty()) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    if (connection instanceof HttpsURLConnection secure) {
      trust.applyTo(secure);
    }
    return connection;
  }

  private URI url(String path) {
    String baseUrl = base.toString();
    return URI.create(
        (baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl) + path);
  }

  private static byte[] readAll(HttpURLConnection connection, int status) throws IOException {
    try (InputStream in =
        status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
      return in == null ? new byte[0] : in.readAllBytes();
    }
  }

  private static Json parseResponse(int status, byte[] body, String retryAfter) {
    if (status / 100 != 2) {
      throw ApiError.of(status, body, retryAfter);
    }
    try {
      return body.length == 0 ? new Json(null) : Json.parse(body);
    } catch (IOException e) {
      throw new AppException(ErrorCode.INTERNAL, Message.of("cli.not-trainyard", "status", status));
    }
  }

  private AppException connectionError(IOException cause) {
    verified = false;
    return ConnectionErrors.of(base, cause);
  }

  private static byte[] toJson(Map<String, ?> fields) {
    return new Json(fields).text().getBytes(StandardCharsets.UTF_8);
  }
}
