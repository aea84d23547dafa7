package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the diagnoses of common failures of user programs. */
class DiagnosisIT extends NeedsSandbox {
  @TempDir Path directory;

  private static String python(String program) {
    return "cat > train.py <<'END'\n" + program + "\nEND\n/usr/bin/python3 train.py";
  }

  @Test
  void show_failedJob_reportsTheCause() throws Exception {
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      String importing = python("import sys\nimport no_such_module_here");
      JsonNode job = runFailing(trainyard, "importing", importing);
      assertThat(job.at("/diagnosis/exit").asText()).isEqualTo("PYTHON_IMPORT");
      assertThat(job.at("/attempts/0/diagnosis")).isEqualTo(job.get("diagnosis"));
      assertThat(trainyard.run("show", "importing").out())
          .contains("Python cannot import a module", "pip install")
          .contains("line 2, in <module>")
          .contains("No module named 'no_such_module_here'");

      runFailing(trainyard, "typo", python("for epoch in range(10)\n    print(epoch)"));
      assertThat(trainyard.run("show", "typo").out())
          .contains("Python syntax error", "SyntaxError", "for epoch in range(10)");
      assertThat(trainyard.run("--lang", "zh", "show", "typo").out())
          .contains("Python 无法解析程序", "SyntaxError");
      assertThat(trainyard.run("why", "typo").out())
          .contains("exited with code 1: Python syntax error");

      JsonNode killed = runFailing(trainyard, "own-kill", "kill -9 $$");
      assertThat(killed.at("/diagnosis/exit").asText()).isEqualTo("SIGNAL_KILL");
      assertThat(killed.get("attempt").asInt()).isEqualTo(1);
    }
  }

  private static JsonNode runFailing(Trainyard trainyard, String name, String command)
      throws Exception {
    return trainyard.await(
        trainyard.submit(Trainyard.job(name, command)).get("id").asText(), "FAILED");
  }
}
