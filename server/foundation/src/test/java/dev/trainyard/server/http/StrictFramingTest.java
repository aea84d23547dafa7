package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictFramingTest {
  private final TestWeb web =
      TestWeb.with(
          routes -> {
            routes.add("POST", "/echo", Access.PUBLIC, request -> Reply.of(200, request.text()));
            routes.add("GET", "/second", Access.PUBLIC, request -> "second");
          });

  @AfterEach
  void close() {
    web.close();
  }

  private String responseTo(String headers) throws Exception {
    try (RawClient client = new RawClient(web.url)) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
      client.send(
          "5\r\nhello\r\n0\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      return client.rest();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding:\r\n chunked\r\n",
        "Transfer-Encoding: chunked\r\n \r\n",
        "Transfer-Encoding: chunked\r\n\t\r\n",
        "Content-Length:\r\n 15\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\n",
        "Host: b\r\nTransfer-Encoding: chunked\r\n",
        " b\r\nTransfer-Encoding: chunked\r\n",
      })
  void request_ambiguousLengthOrHost_rejected(String headers) throws Exception {
    assertThat(responseTo(headers)).startsWith("HTTP/1.1 400").doesNotContain("second");
  }

  @Test
  void request_chunked() throws Exception {
    assertThat(responseTo("Transfer-Encoding: Chunked\r\n"))
        .startsWith("HTTP/1.1 200")
        .contains("hello", "second");
  }
}
