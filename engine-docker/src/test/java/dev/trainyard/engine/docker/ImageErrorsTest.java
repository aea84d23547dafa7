package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.ImageException.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What engines have said, word for word. */
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
        "failed to register layer: write /x: no space left on device | NO_ROOM",
        "the moon is full | OTHER",
      })
  void kind_whatDockerSays_isUnderstood(String said, Kind kind) {
    assertThat(ImageErrors.kind(said)).isEqualTo(kind);
  }
}
