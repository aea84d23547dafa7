package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A request as seen by an endpoint. */
public interface Request {
  /** Maximum number of words in a comma-separated query parameter. */
  int MAX_WORDS = 100;

  /** Returns the caller; fails for endpoints that are {@link Access#PUBLIC}. */
  Caller caller();

  /** Returns a decoded part of the path, by its name in the route. */
  String path(String name);

  /** Returns the first value of a query parameter. */
  Optional<String> query(String name);

  /** Returns all values of a query parameter, in order. */
  default List<String> queries(String name) {
    return query(name).stream().toList();
  }

  /**
   * Returns the comma-separated words of a query parameter without surrounding spaces, including
   * empty ones; throws BAD_REQUEST if there are more than {@link #MAX_WORDS}.
   */
  default List<String> words(String name) {
    String[] words = query(name).map(text -> text.split(",", MAX_WORDS + 1)).orElse(new String[0]);
    if (words.length > MAX_WORDS) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-query"),
          List.of(Problem.at(name, Message.of("error.too-many-words", "most", MAX_WORDS))));
    }
    return Arrays.stream(words).map(String::strip).toList();
  }

  Optional<String> header(String name);

  /** Returns path and query as they were sent. */
  default String uri() {
    return "";
  }

  /** Returns the address of the client, also behind trusted proxies. */
  String remoteAddress();

  /** Returns the IP address at which this host received the request, without a zone. */
  default String localAddress() {
    return "";
  }

  /** Returns the whole body as text; throws BAD_REQUEST if it is not UTF-8. */
  String text();

  /** Returns the whole body as a JSON object; throws BAD_REQUEST if it is not one. */
  JsonNode json();

  /**
   * Returns the body as a stream, for routes that declare it; reading throws TOO_LARGE at the
   * limit.
   */
  default InputStream stream() {
    throw new IllegalStateException("the route does not declare a streamed body");
  }

  /**
   * Returns whether the body exceeds the limit of the route; only for endpoints that check this.
   */
  default boolean bodyTooLarge() {
    return false;
  }

  /**
   * Counts memory that the parsed body needs until the request ends, or rejects it with an
   * AppException.
   */
  default void useMemory(int bytes) {}

  /** Returns whether the client uses TLS, with this server or with a trusted proxy. */
  default boolean secure() {
    return false;
  }

  /**
   * Returns whether the request was sent on this host and, as far as detectable, without a proxy.
   */
  default boolean local() {
    return false;
  }

  /** Returns whether the credentials are still valid for the same caller; for long responses. */
  default boolean isStillSignedIn() {
    return true;
  }

  /**
   * Returns the caller, also for endpoints that are {@link Access#PUBLIC}; empty without a valid
   * token.
   */
  default Optional<Caller> signedInCaller() {
    return Optional.of(caller());
  }
}
