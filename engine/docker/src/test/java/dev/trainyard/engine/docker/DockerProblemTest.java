package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.exception.InternalServerErrorException;
import org.junit.jupiter.api.Test;

class DockerProblemTest {
  @Test
  void of_rejection() {
    var problem =
        DockerProblem.of(
            new InternalServerErrorException(
                "Status 500: {\"message\":\"failed to create shim task: OCI runtime create failed:"
                    + " could not select device driver \\\"\\\" with capabilities: [[gpu]]\"}\n"));

    assertThat(problem.permanent()).isTrue();
    assertThat(problem.message())
        .isEqualTo("could not select device driver \"\" with capabilities: [[gpu]]");
  }

  @Test
  void of_transientFailure() {
    var problem =
        DockerProblem.of(
            new InternalServerErrorException(
                "Status 500: {\"message\":\"driver failed: Bind for 127.0.0.1:80 failed: port is"
                    + " already allocated\"}"));

    assertThat(problem.permanent()).isFalse();
    assertThat(problem.message()).endsWith("port is already allocated");
    assertThat(DockerProblem.of(new IllegalStateException("{odd")).message()).isEqualTo("{odd");
  }
}
