package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ServedShell;
import org.junit.jupiter.api.Test;

class DiagnosisTextTest extends ServedShell {
  private static final String FAILED_IMPORT =
      """
      ,"reason":"task w-1 exited with code 1","reasonCode":"end.exit-code.task",
       "reasonParams":{"task":"w-1","exitCode":1},
       "diagnosis":{"exit":"PYTHON_IMPORT","role":"w","index":1,
        "phrase":{"code":"end.exit.python-import.phrase","message":"x","params":{}},
        "cause":{"code":"end.exit.of-the-future","message":"A cause of the future","params":{}},
        "advice":{"code":"end.exit.python-import.advice","message":"x","params":{}},
        "reaction":"COUNTED","reactionText":{"code":"end.reaction.counted","message":"x"},
        "lines":[{"stream":"stderr","offset":99,"number":7,"text":"    import apex"},
         {"stream":"stderr","offset":120,"number":8,"text":"No module \\u001b[31m'apex'"}]}
      """;

  private static String job(String extraFields) {
    return ("{\"id\":\"01J\",\"name\":\"hello\",\"user\":\"alice\",\"state\":\"FAILED\",\"exitCode\":1,"
                + "\"attempt\":1,\"taskCount\":1,\"submitted\":1,\"tasks\":[]%s}")
        .formatted(extraFields);
  }

  @Test
  void show_failure_isExplained() {
    String failed =
        job(FAILED_IMPORT)
            .replace("\"tasks\":[]", "\"tasks\":[{\"role\":\"w\"},{\"role\":\"w\",\"index\":1}]");
    server.on("GET", "/api/v3/jobs/hello", 200, failed);
    assertThat(shell.run("show", "hello")).isZero();
    assertThat(shell.out())
        .containsPattern("DIAGNOSIS +Python cannot import a module \\(task w-1\\)\n")
        .containsPattern("CAUSE +A cause of the future\n")
        .containsPattern("ADVICE +Install the module")
        .containsPattern("RETRY +retried as often")
        .contains("stderr, line 7:\n      import apex\n  No module [31m'apex'\n")
        .doesNotContain("\u001b");
    assertThat(shell.run("--lang", "zh", "show", "hello")).isZero();
    assertThat(shell.out()).contains("Python 无法导入模块（实例 w-1）", "stderr 第 7 行：");
  }

  @Test
  void show_failureWithLongLog_printsOffset() {
    String attempt =
        "{\"number\":1,\"tasks\":[]"
            + FAILED_IMPORT.replace("\"number\":7", "\"number\":null")
            + "}";
    server.on("GET", "/api/v3/jobs/hello/attempts/1", 200, attempt);
    assertThat(shell.run("show", "hello", "--attempt", "1")).isZero();
    assertThat(shell.out()).contains("stderr, from byte 99:").contains("Python cannot import");
  }

  @Test
  void why_failedJob_printsExplanationFromLog() {
    server.on("GET", "/api/v3/jobs/a", 200, job(FAILED_IMPORT));
    assertThat(shell.run("why", "a")).isZero();
    assertThat(shell.out())
        .isEqualTo("task w-1 exited with code 1: Python cannot import a module\n");
    assertThat(shell.run("why", "a", "--json")).isZero();
    assertThat(shell.out()).contains("PYTHON_IMPORT");
  }
}
