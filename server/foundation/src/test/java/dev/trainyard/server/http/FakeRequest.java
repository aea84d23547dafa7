package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A request that does not come from a network. */
public record FakeRequest(
    Caller caller, Map<String, String> path, Map<String, String> query, Optional<String> body)
    implements Request {

  public static FakeRequest by(Caller caller) {
    return new FakeRequest(caller, Map.of(), Map.of(), Optional.empty());
  }

  public FakeRequest path(String name, String value) {
    return new FakeRequest(caller, plus(path, name, value), query, body);
  }

  public FakeRequest query(String name, String value) {
    return new FakeRequest(caller, path, plus(query, name, value), body);
  }

  public FakeRequest body(String text) {
    return new FakeRequest(caller, path, query, Optional.of(text));
  }

  private static Map<String, String> plus(Map<String, String> map, String name, String value) {
    Map<String, String> extended = new HashMap<>(map);
    extended.put(name, value);
    return extended;
  }

  @Override
  public String path(String name) {
    return path.get(name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.empty();
  }

  @Override
  public String remoteAddress() {
    return "127.0.0.1";
  }

  @Override
  public String text() {
    return body.orElseThrow();
  }

  @Override
  public boolean bodyTooLarge() {
    return body.isEmpty();
  }

  @Override
  public JsonNode json() {
    throw new UnsupportedOperationException();
  }

  /** Routes that a test calls directly. */
  public static final class Table implements Routes {
    private final Map<String, Endpoint> endpoints = new HashMap<>();

    @Override
    public void add(String method, String path, Access access, BodyLimit limit, Endpoint endpoint) {
      endpoints.put(method + " " + path, endpoint);
    }

    @Override
    public void addSocket(String path, Access access, Endpoint endpoint) {
      endpoints.put("SOCKET " + path, endpoint);
    }

    @Override
    public void addForeign(
        String method,
        String path,
        BodyLimit limit,
        Admission admission,
        Endpoint endpoint,
        Function<AppException, Reply> refusals) {
      Endpoint admitted =
          request -> {
            Optional<Reply> rejected = admission.reject(request);
            return rejected.isPresent() ? rejected.get() : endpoint.handle(request);
          };
      endpoints.put(method + " " + path, admitted);
    }

    @Override
    public void addDefault(Endpoint endpoint) {
      endpoints.put("GET *", endpoint);
    }

    public Reply call(String route, Request request) {
      try {
        Object response = endpoints.get(route).handle(request);
        return response instanceof Reply reply ? reply : Reply.of(200, response);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
