package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ConnectionErrorsTest {
  private static String text(IOException cause) {
    return ConnectionErrors.of(URI.create("http://far:1"), cause).getMessage();
  }

  @Test
  void of_noMessage_omitsReason() {
    assertThat(text(new IOException((String) null)))
        .isEqualTo(text(new ConnectException("Connection refused")))
        .doesNotContain("null", "(")
        .startsWith("No Trainyard server responds at http://far:1.");
  }

  @Test
  void of_knownExceptions_haveMessages() {
    assertThat(text(new UnknownHostException("far"))).contains("host far not found");
    assertThat(text(new IOException("Unexpected end of file"))).contains("(Unexpected end");
  }
}
