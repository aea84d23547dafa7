package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.it.Trainyard.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of groups and virtual clusters in docs/operations.md. */
class TeamServiceIT {
  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- example: class -->\n```\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private static final Pattern PASSWORD = Pattern.compile("Password \\(shown only once\\): (\\S+)");

  @TempDir Path directory;

  @Test
  void example_teachingClass() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/operations.md")));
    assertThat(example.find()).isTrue();
    try (Trainyard trainyard = Trainyard.start(directory.resolve("data"))) {
      Result last = null;
      StringBuilder out = new StringBuilder();
      for (String line : example.group(1).lines().toList()) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
          words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        assertThat(words.removeFirst()).isEqualTo("trainyard");
        last =
            Trainyard.command(
                Map.of("TRAINYARD_DATA", trainyard.data().toString()),
                "",
                words.toArray(String[]::new));
        assertThat(last.exitCode()).as(line + last).isZero();
        out.append(last.out());
      }
      assertThat(out.toString()).contains("0 of 8 in use", "0 of 2 in use", "Vision lab");
      assertThat(last.out()).isEqualTo("alice\nbob\n");
      studentsCanUseTheExamples(trainyard, out.toString());
    }
  }

  /**
   * The example files do not name a virtual cluster, so the jobs must run in the only virtual
   * cluster of the students.
   */
  private static void studentsCanUseTheExamples(Trainyard trainyard, String printed)
      throws Exception {
    Matcher password = PASSWORD.matcher(printed);
    assertThat(password.find()).as(printed).isTrue();
    String body = "{\"user\":\"alice\",\"password\":\"" + password.group(1) + "\"}";
    String session = trainyard.request("POST", "/api/v3/sessions", body, "").body();
    String token = Trainyard.JSON.readTree(session).get("token").asText();
    for (String example : List.of("hello.json", "digits.yaml", "parameter-server.yaml")) {
      String file = Files.readString(Trainyard.CHECKOUT.resolve("examples").resolve(example));
      String check = trainyard.request("POST", "/api/v3/jobs/check", file, token).body();
      assertThat(Trainyard.JSON.readTree(check).get("problems")).as(example + check).isEmpty();
    }
    String hello = Files.readString(Trainyard.CHECKOUT.resolve("examples/hello.json"));
    String submitted = trainyard.request("POST", "/api/v3/jobs", hello, token).body();
    String id = Trainyard.JSON.readTree(submitted).path("id").asText();
    String job = trainyard.request("GET", "/api/v3/jobs/" + id, "", token).body();
    assertThat(Trainyard.JSON.readTree(job).path("virtualCluster").asText()).isEqualTo("class");
  }
}
