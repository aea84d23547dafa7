package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.ImageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommitChangesTest {
  @Test
  void of_everySetting_isOneLine() {
    assertThat(
            CommitChanges.of(
                Map.of(
                    "Env", List.of("A=b=c", "Q=\"q\"", "EMPTY="),
                    "Entrypoint", List.of(),
                    "Cmd", List.of("sh", "-c", "echo \"x\""),
                    "Labels", Map.of("l", "m n"),
                    "User", "7:8",
                    "WorkingDir", "",
                    "ExposedPorts", Map.of("80/tcp", Map.of()),
                    "Volumes", Map.of("/my data", Map.of()),
                    "StopSignal", "SIGINT")))
        .containsExactly(
            "ENV A=b=c",
            "ENV Q=\"\"q\"\"",
            "ENV EMPTY=",
            "ENTRYPOINT []",
            "CMD [\"sh\",\"-c\",\"echo \\\"x\\\"\"]",
            "LABEL l=m n",
            "USER 7:8",
            "EXPOSE 80/tcp",
            "VOLUME [\"/my data\"]",
            "STOPSIGNAL SIGINT");
  }

  @Test
  void of_lineBreak_isRejected() {
    assertThatThrownBy(() -> CommitChanges.of(Map.of("Env", List.of("A=b\nUSER 0"))))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("ENV A=b");
  }
}
