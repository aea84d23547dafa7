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
 * Client for the native API of one server with the credentials of one caller. Errors are rethrown
 * as the {@link AppException} of the server. Uses HttpURLConnection because HttpClient takes three
 * times as long to start.
 */
public final class Api {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int ANSWER_MILLIS = 60_000;
  private static final String RETRY_AFTER = "Retry-After";
  private static final Duration PROOF_PATIENCE = Duration.ofSeconds(2);
  private static final int PROOF_PAUSE_MILLIS = 100;

  static {
    // Otherwise a POST is sent a second time after a lost connection, and a job is submitted twice.
    // (Streaming the body would also prevent that, but then the body of a 401 cannot be read.)
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private final URI base;
  private final Trust trust;
  private final Supplier<String> newerToken;
  private final RateLimitRetry rateLimitRetry;
  private final Supplier<Optional<String>> proofKey;
  private volatile String token;
  private volatile boolean verified;

  public Api(URI base, String token, Trust trust) {
    this(base, token, trust, () -> token, Optional::empty, RateLimitRetry.QUIET);
  }

  /** Returns a client for a local server, without signing in. */
  public static Api of(LocalServer server) {
    return new Api(
        server.address(), "", server.trust(), () -> "", server::proofKey, RateLimitRetry.QUIET);
  }

  /**
   * @param newerToken supplies a token when the server rejects the current one: a local server
   *     issues a new token at each start, and a command may outlive a restart
   * @param proofKey key with which a local server must prove, before it gets a token, that it is
   *     the server of the data directory and not a program that took over its port; empty for other
   *     servers
   * @param rateLimitRetry waits when the rate limit is exceeded
   */
  public Api(
      URI base,
      String token,
      Trust trust,
      Supplier<String> newerToken,
      Supplier<Optional<String>> proofKey,
      RateLimitRetry rateLimitRetry) {
    this.base = base;
    this.proofKey = proofKey;
    this.token = token;
    this.trust = trust;
    this.newerToken = newerToken;
    this.rateLimitRetry = rateLimitRetry;
  }

  public URI base() {
    return base;
  }

  public Json read(String path) {
    return send("GET", path, null);
  }

  public Json post(String path, Map<String, ?> fields) {
    return send("POST", path, bytes(fields));
  }

  public Json put(String path, Map<String, ?> fields) {
    return send("PUT", path, bytes(fields));
  }

  public void delete(String path) {
    send("DELETE", path, null);
  }

  /** Sends a request with any body; the result is empty if the server sends none. */
  public Json send(String method, String path, byte[] body) {
    return send(method, path, body, ANSWER_MILLIS);
  }

  /** Like {@link #send(String, String, byte[])}, with a timeout for operations that take long. */
  public Json send(String method, String path, byte[] body, int patienceMillis) {
    try {
      return admitted(
          current -> {
            HttpURLConnection connection = connect(method, path, patienceMillis, current);
            if (body != null) {
              connection.setDoOutput(true);
              connection.setRequestProperty("Content-Type", "application/json");
              try (var out = connection.getOutputStream()) {
                out.write(body);
              }
            }
            int status = connection.getResponseCode();
            byte[] answer = readAll(connection, status);
            return answer(status, answer, connection.getHeaderField(RETRY_AFTER));
          });
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** Writes the body of an upload. Called a second time if the first request was rejected. */
  public interface Upload {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Sends a body of any length without keeping it in memory. */
  public Json upload(String path, Upload upload, int patienceMillis) {
    try {
      return admitted(
          current -> {
            HttpURLConnection connection = connect("POST", path, patienceMillis, current);
            connection.setDoOutput(true);
            connection.setChunkedStreamingMode(1 << 16);
            connection.setRequestProperty("Content-Type", "application/gzip");
            try (var out = connection.getOutputStream()) {
              upload.writeTo(out);
            } catch (SocketException e) {
              // The server may reject the upload before the whole body is sent; without such a
              // response, this call throws.
              connection.getResponseCode();
            }
            int status = connection.getResponseCode();
            byte[] answer = readAll(connection, status);
            return answer(status, answer, connection.getHeaderField(RETRY_AFTER));
          });
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** A request that uses a token. */
  private interface Question<T> {
    T ask(String token) throws IOException;
  }

  /**
   * Repeats a request that was rejected because of a rate limit or an outdated token. A rejected
   * request has no effect, so this also applies to requests that change data.
   */
  private <T> T admitted(Question<T> question) throws IOException {
    return rateLimitRetry.until(() -> signedIn(question));
  }

  private <T> T signedIn(Question<T> question) throws IOException {
    String used = token;
    try {
      return question.ask(used);
    } catch (AppException e) {
      String newer = newerToken.get();
      if (e.code() != ErrorCode.SIGN_IN_REQUIRED || newer.isEmpty() || newer.equals(used)) {
        throw e;
      }
      token = newer;
      return question.ask(newer);
    }
  }

  /**
   * Sends a PATCH request with HttpClient, because HttpURLConnection does not support it. Only a
   * few commands need it, so the longer startup is acceptable.
   */
  public Json patch(String path, Map<String, ?> fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address(path))
            .header("Content-Type", "application/json")
            .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(bytes(fields)));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    trust.context().ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      verify();
      return rateLimitRetry.until(() -> answer(client, request.build()));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private static Json answer(HttpClient client, HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      String wait = response.headers().firstValue(RETRY_AFTER).orElse(null);
      return answer(response.statusCode(), response.body(), wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /**
   * Opens a response as a stream of bytes. Connection errors remain IOExceptions, so that the
   * caller can reconnect.
   *
   * @param silenceMillis how long the stream may send nothing before reading it fails
   */
  public Stream open(String path, int silenceMillis) throws IOException {
    return open(path, silenceMillis, "application/json");
  }

  /** Like {@link #open}, for an event stream. */
  public Stream openEvents(String path, int silenceMillis) throws IOException {
    return open(path, silenceMillis, "text/event-stream");
  }

  /** Like {@link #open}, for a POST request, which is sent only once. */
  public Stream openPost(String path, Map<String, ?> fields, int silenceMillis) throws IOException {
    return open("POST", path, bytes(fields), silenceMillis, "application/x-ndjson");
  }

  private Stream open(String path, int silenceMillis, String accept) throws IOException {
    return open("GET", path, null, silenceMillis, accept);
  }

  private Stream open(String method, String path, byte[] body, int silenceMillis, String accept)
      throws IOException {
    try {
      return admitted(
          current -> {
            HttpURLConnection connection = connect(method, path, silenceMillis, current);
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

  /** Opens a WebSocket; errors of the server are rethrown. */
  public WebSocket socket(String path) {
    try {
      verify();
      return admitted(current -> WebSocket.connect(address(path), current, trust, ANSWER_MILLIS));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** A stream of bytes and the offset of the first byte in the whole file. */
  public record Stream(InputStream bytes, long offset) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }

  /**
   * Returns whether a Trainyard server responds, ready or not. Older servers support only /healthz.
   */
  public boolean isAnswering() {
    try {
      if (proofKey.get().isPresent()) {
        return isProven();
      }
      int status = status("/livez");
      return status == 200
          || (status == HttpURLConnection.HTTP_NOT_FOUND && status("/healthz") == 200);
    } catch (IOException e) {
      return false;
    }
  }

  private int status(String path) throws IOException {
    HttpURLConnection connection = connect("GET", path, CONNECT_MILLIS, "");
    int status = connection.getResponseCode();
    readAll(connection, status);
    return status;
  }

  /**
   * Requires the proof once, and again after a connection failed: another program may have taken
   * the port since.
   */
  private void verify() throws IOException {
    if (!verified) {
      long deadline = System.nanoTime() + PROOF_PATIENCE.toNanos();
      while (proofKey.get().isPresent() && !isProven()) {
        if (System.nanoTime() < deadline) {
          // A server that was just restarted writes its new key once it listens.
          pause();
          continue;
        }
        throw new AppException(
            ErrorCode.UNAVAILABLE, Message.of("cli.other-server", "url", base.toString()));
      }
      verified = true;
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PROOF_PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private boolean isProven() throws IOException {
    String challenge = ServerProof.random();
    HttpURLConnection connection =
        connect("GET", "/livez?challenge=" + challenge, CONNECT_MILLIS, "");
    byte[] answer = readAll(connection, connection.getResponseCode());
    try {
      String proof = Json.parse(answer).string("proof");
      return proofKey.get().filter(key -> ServerProof.isProof(key, challenge, proof)).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns which parts of the server fail; needs no sign-in, and thus no database. */
  public Json health() {
    try {
      HttpURLConnection connection = connect("GET", "/healthz", CONNECT_MILLIS, "");
      return Json.parse(readAll(connection, connection.getResponseCode()));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** Encodes one segment of a path; "." and ".." are treated as names. */
  public static String part(String name) {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    return encoded.matches("\\.{1,2}") ? encoded.replace(".", "%2E") : encoded;
  }

  private HttpURLConnection connect(String method, String path, int readMillis, String token)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) address(path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(readMillis);
    // A redirect would send the token to another host.
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Accept", "application/json");
    if (!token.isEmpty() || !"GET".equals(method)) {
      verify(); // a body may contain a password
    }
    if (!token.isEmpty()) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    if (connection instanceof HttpsURLConnection secure) {
      trust.applyTo(secure);
    }
    return connection;
  }

  private URI address(String path) {
    String root = base.toString();
    return URI.create((root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + path);
  }

  private static byte[] readAll(HttpURLConnection connection, int status) throws IOException {
    try (InputStream in =
        status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
      return in == null ? new byte[0] : in.readAllBytes();
    }
  }

  private static Json answer(int status, byte[] body, String retryAfter) {
    if (status / 100 != 2) {
      throw ApiError.of(status, body, retryAfter);
    }
    try {
      return body.length == 0 ? new Json(null) : Json.parse(body);
    } catch (IOException e) {
      throw new AppException(ErrorCode.INTERNAL, Message.of("cli.not-trainyard", "status", status));
    }
  }

  private AppException unreachable(IOException cause) {
    verified = false;
    return ConnectionErrors.of(base, cause);
  }

  private static byte[] bytes(Map<String, ?> fields) {
    return new Json(fields).text().getBytes(StandardCharsets.UTF_8);
  }
}
