package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonTest {
  /** Returns one of 1024 names whose hash codes are equal. */
  private static String collidingName(int number) {
    return IntStream.range(0, 10)
        .mapToObj(bit -> (number >> bit & 1) == 0 ? "bA" : "ab")
        .collect(Collectors.joining());
  }

  @Test
  void read_collidingNames() throws JsonProcessingException {
    String text =
        IntStream.range(0, 1 << 10)
            .mapToObj(number -> "\"" + collidingName(number) + "\":1")
            .collect(Collectors.joining(",", "{", "}"));
    assertThat(Json.MAPPER.readTree(text)).hasSize(1 << 10);
  }
}
