package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The received body of a request. */
final class Body {
  private final byte[] bytes;
  private final boolean tooLarge;
  private final DataSize limit;

  private Body(byte[] bytes, boolean tooLarge, DataSize limit) {
    this.bytes = bytes;
    this.tooLarge = tooLarge;
    this.limit = limit;
  }

  static Body of(byte[] bytes, DataSize limit) {
    return new Body(bytes, false, limit);
  }

  /** Creates a body that exceeds the limit; its bytes are not kept. */
  static Body tooLarge(DataSize limit) {
    return new Body(new byte[0], true, limit);
  }

  boolean tooLarge() {
    return tooLarge;
  }

  void requireFits() {
    if (tooLarge) {
      throw new AppException(
          ErrorCode.TOO_LARGE, Message.of("error.body-too-large", "limit", limit.bytes()));
    }
  }

  String text() {
    requireFits();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.not-utf8"));
    }
  }

  JsonNode json(Request request) {
    JsonNode node;
    try {
      node = BodyJson.read(text(), request);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
      Message problem = Message.of("error.json-broken", "detail", e.getOriginalMessage());
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.not-json"),
          List.of(new Problem("", problem, Math.max(line, 0), Math.max(column, 0))));
    }
    if (node == null || !node.isObject()) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.not-json"));
    }
    if (Json.hasNul(node)) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-fields", "count", 1),
          List.of(Problem.at("", Message.of("error.field-control"))));
    }
    return node;
  }
}
