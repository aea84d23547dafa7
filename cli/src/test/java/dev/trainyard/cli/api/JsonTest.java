package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  private static Json parse(String text) throws IOException {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void parse_thenText_isUnchanged() throws IOException {
    String text = "{\"a\":[1,2.5,-3,1e400,true,false,null,\"中\\n\"],\"b\":{\"c\":{}}}";
    assertThat(parse(text).text()).isEqualTo(text.replace("1e400", "1E+400"));
    assertThat(parse(parse(text).pretty()).text()).isEqualTo(parse(text).text());
  }

  @Test
  void read_missingFields_areEmpty() throws IOException {
    Json json = parse("{\"a\":null}");
    assertThat(json.string("a")).isEmpty();
    assertThat(json.number("b")).isZero();
    assertThat(json.list("c")).isEmpty();
    assertThat(json.at("d").at("e").isTrue("f")).isFalse();
    assertThat(json.fields()).isEmpty();
  }

  @Test
  void parse_broken_throws() {
    assertThatThrownBy(() -> parse("{\"a\":")).isInstanceOf(IOException.class);
  }
}
