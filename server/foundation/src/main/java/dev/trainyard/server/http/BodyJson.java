package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Parses the JSON of request bodies. A parsed body can need forty times the memory of its text.
 * Therefore its tokens are counted first, which needs no memory, and the memory for them is
 * reserved before the body is parsed.
 */
public final class BodyJson {
  /** Maximum tokens of a body: values, field names, and ends of objects and arrays. */
  static final int MAX_TOKENS = 20_000;

  static final int MAX_DEPTH = 50;

  /** Memory that a token needs on average if a body consists of small nested objects. */
  static final int BYTES_PER_TOKEN = 100;

  private BodyJson() {}

  /**
   * Parses a text that is the body of a request or was contained in it.
   *
   * @throws AppException if the text has too many tokens or levels, or if no memory is available
   *     for the result
   */
  public static JsonNode read(String text, Request request) throws JsonProcessingException {
    return WorkPools.runForBody(
        text,
        () -> {
          request.useMemory(countTokens(text) * BYTES_PER_TOKEN);
          return Json.MAPPER.readTree(text);
        });
  }

  static int countTokens(String text) throws JsonProcessingException {
    try (JsonParser parser = Json.MAPPER.createParser(text)) {
      int tokens = 0;
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        tokens++;
        if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        }
        if (tokens > MAX_TOKENS || depth > MAX_DEPTH) {
          throw new AppException(
              ErrorCode.TOO_LARGE,
              Message.of("error.json-too-complex", "tokens", MAX_TOKENS).with("depth", MAX_DEPTH));
        }
      }
      return tokens;
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // impossible: the text is in memory
    }
  }
}
