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

  /** Returns the decoded part of the path that has this name in the route. */
  String path(String name);

  /** Returns the first value of a query parameter. */
  Optional<String> query(String name);

  /** Returns all values of a query parameter, in order. */
  default List<String> queries(String name) {
    return query(name).stream().toList();
  }

  /**
   * Returns the comma-separated words of a query parameter without surrounding spaces, including
   * empty words; throws BAD_REQUEST if there are more than {@link #MAX_WORDS}.
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

  /** Returns path and query exactly as the client sent them. */
  default String uri() {
    return "";
  }

  /** Returns the address of the client, even if the request came through trusted proxies. */
  String remoteAddress();

  /** Returns the IP address at which this host received the request, without a zone. */
  default String localAddress() {
    return "";
  }

  /** Returns the whole body as text; throws BAD_REQUEST if it is not UTF-8. */
  String text();

  /** Returns the whole body as a JSON object; throws BAD_REQUEST if it is anything else. */
  JsonNode json();

  /**
   * Returns the body as a stream, for routes that declare a streamed body. Reading beyond the limit
   * throws TOO_LARGE.
   */
  default InputStream stream() {
    throw new IllegalStateException("the route does not declare a streamed body");
  }

  /**
   * Returns whether the body exceeds the limit of the route; for endpoints that check the limit
   * themselves.
   */
  default boolean bodyTooLarge() {
    return false;
  }

  /**
   * Reserves memory that the parsed body needs until the request ends; throws an AppException if no
   * memory is available.
   */
  default void useMemory(int bytes) {}

  /** Returns whether the client's connection, to this server or to a trusted proxy, uses TLS. */
  default boolean secure() {
    return false;
  }

  /**
   * Returns whether the request was sent on this host and, as far as detectable, without a proxy.
   */
  default boolean local() {
    return false;
  }

  /**
   * Returns whether the credentials of the request are still valid for the same caller; for long
   * responses.
   */
  default boolean isStillSignedIn() {
    return true;
  }

  /**
   * Returns the caller; empty if the request has no valid token. Also usable for endpoints that are
   * {@link Access#PUBLIC}.
   */
  default Optional<Caller> signedInCaller() {
    return Optional.of(caller());
  }
}
