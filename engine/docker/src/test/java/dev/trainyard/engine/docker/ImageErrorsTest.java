package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.ImageException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests literal messages of engines. */
class ImageErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "manifest for h:1/a:2 not found: manifest unknown: manifest unknown | UNKNOWN_IMAGE",
        "pull access denied for a/b, repository does not exist or may require 'docker login':"
            + " denied: requested access to the resource is denied | UNKNOWN_IMAGE",
        "no matching manifest for linux/arm64/v8 in the manifest list entries | UNKNOWN_IMAGE",
        "Head \"http://h/v2/a/manifests/1\": no basic auth credentials | LOGIN_REFUSED",
        "unauthorized: authentication required | LOGIN_REFUSED",
        "denied: requested access to the resource is denied | LOGIN_REFUSED",
        "Get \"http://h/v2/\": dial tcp 127.0.0.1:5999: connect: connection refused | UNREACHABLE",
        "Get \"https://h/v2/\": http: server gave HTTP response to HTTPS client | UNREACHABLE",
        "Get \"https://h/v2/\": dial tcp: lookup h on 10.0.0.1:53: no such host | UNREACHABLE",
        "Get \"https://h/v2/\": net/http: request canceled while waiting for connection"
            + " (Client.Timeout exceeded while awaiting headers) | UNREACHABLE",
        "invalid reference format: repository name must be lowercase | BAD_NAME",
        "failed to register layer: write /x: no space left on device | DISK_FULL",
        "Get \"https://h/v2/\": dial tcp 10.0.0.5:5401: connect: connection refused | UNREACHABLE",
        "dial tcp 10.0.0.5:401: i/o timeout | UNREACHABLE",
        "Get \"https://h/v2/\": EOF | UNREACHABLE",
        "Get \"https://h/v2/\": tls: failed to verify certificate: x509: … | UNREACHABLE",
        "denied: requested access to a/tls:1 or a/timeout:2 is denied | LOGIN_REFUSED",
        "unexpected status from HEAD request to https://h/v2/a: 401 Unauthorized | LOGIN_REFUSED",
        "undeniedly strange at h:4010 | OTHER",
        "the moon is full | OTHER",
      })
  void kind_ofDockersMessages(String message, Kind kind) {
    assertThat(ImageErrors.kind(message)).isEqualTo(kind);
  }

  @Test
  void of_foreignResponse_isNotShown() {
    String message =
        "error parsing HTTP 404 response body: invalid character '<' looking for beginning of"
            + " value: \"<html>internal</html>\"";
    assertThat(ImageErrors.of(message)).hasMessage("error parsing HTTP 404 response body");
  }
}
