package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
  private static final String DIGEST =
      "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

  @ParameterizedTest
  @CsvSource({
    "ubuntu, docker.io/library/ubuntu:latest, ubuntu:latest",
    "ubuntu:16.04, docker.io/library/ubuntu:16.04, ubuntu:16.04",
    "docker.io/ubuntu, docker.io/library/ubuntu:latest, ubuntu:latest",
    "index.docker.io/library/ubuntu:1, docker.io/library/ubuntu:1, ubuntu:1",
    "ufoym/deepo:pytorch-py36-cu90, docker.io/ufoym/deepo:pytorch-py36-cu90,"
        + " ufoym/deepo:pytorch-py36-cu90",
    "localhost/a, localhost/a:latest, localhost/a:latest",
    "127.0.0.1:5000/leinao/caffe2:v1, 127.0.0.1:5000/leinao/caffe2:v1,"
        + " 127.0.0.1:5000/leinao/caffe2:v1",
    "registry.lab.example/a/b/c, registry.lab.example/a/b/c:latest,"
        + " registry.lab.example/a/b/c:latest",
    "Registry/a, Registry/a:latest, Registry/a:latest",
    "[fd00::1]:5000/a:x, [fd00::1]:5000/a:x, [fd00::1]:5000/a:x",
    "a__b/c--d.e_f, docker.io/a__b/c--d.e_f:latest, a__b/c--d.e_f:latest",
    "library/a/b, docker.io/library/a/b:latest, library/a/b:latest",
  })
  void parse_validName_completed(String text, String fullName, String shortName) {
    ImageReference reference = ImageReference.of(text);

    assertThat(reference).hasToString(fullName);
    assertThat(reference.familiarName()).isEqualTo(shortName);
    assertThat(ImageReference.of(fullName)).isEqualTo(reference);
    assertThat(ImageReference.of(shortName)).isEqualTo(reference);
  }

  @Test
  void parse_digest_withoutTag() {
    assertThat(ImageReference.of("host:1/a@" + DIGEST))
        .isEqualTo(new ImageReference("host:1", "a", "", DIGEST));
    assertThat(ImageReference.of("a:b@" + DIGEST).familiarName()).isEqualTo("a:b@" + DIGEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "/",
        "a/",
        "/a",
        "a//b",
        "A",
        "lab/Image",
        "a:",
        "a:-x",
        "a@",
        "a@sha256:12",
        "a b",
        "-a",
        "a-",
        "a..b",
        "a___b",
        "http://host/a",
        "host:99999/a",
        "host:x/a",
        "a/../b",
        "a\nb",
        "é",
        "host.example/",
        ".host/a",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      })
  void parse_invalidName_empty(String text) {
    assertThat(ImageReference.parse(text)).isEmpty();
  }

  @Test
  void parse_tooLong_empty() {
    assertThat(ImageReference.parse("a".repeat(255 - "docker.io/library/".length()))).isPresent();
    assertThat(ImageReference.parse("a".repeat(255))).isEmpty();
    assertThat(ImageReference.parse("a:" + "b".repeat(128))).isPresent();
    assertThat(ImageReference.parse("a:" + "b".repeat(129))).isEmpty();
    assertThat(ImageReference.parse("a".repeat(10_000_000))).isEmpty();
  }

  @Test
  void withRegistry_keepsRepositoryAndTag() {
    assertThat(ImageReference.of("lab:5000/a/b:c").withRegistry("127.0.0.1:9"))
        .hasToString("127.0.0.1:9/a/b:c");
  }
}
