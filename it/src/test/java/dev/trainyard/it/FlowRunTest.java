package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class FlowRunTest {
  private static final String PLAN =
      """
      RESULT {"planned":[{"name":"10-a en","file":"10-a.mjs"},{"name":"10-a zh","file":"10-a.mjs"}]}
      """;
  private static final String PASSED_EN = "RESULT {\"name\":\"10-a en\",\"outcome\":\"passed\"}\n";
  private static final String PASSED_ZH = "RESULT {\"name\":\"10-a zh\",\"outcome\":\"passed\"}\n";
  private static final String ENDED = "RESULT {\"ended\":true}\n";

  private static final String COMPLETE = "run is complete";

  @Test
  void testCases_allPassed() throws Exception {
    var outcomes = run(PLAN + "ok\n" + PASSED_ZH + PASSED_EN + ENDED);
    assertThat(outcomes.keySet()).containsExactly("10-a en", "10-a zh", COMPLETE);
    assertThat(outcomes.values()).containsOnlyNulls();
  }

  @Test
  void testCases_oneFailed_onlyItFailsWithMessageAndScreenshot() throws Exception {
    String failed =
        """
        RESULT {"name":"10-a en","outcome":"failed","message":"no button","screenshot":"/s/a.png"}
        """;
    var outcomes = run(PLAN + failed + PASSED_ZH + ENDED);
    assertThat(outcomes.remove("10-a en"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("10-a en: no button\nscreenshot: /s/a.png");
    assertThat(outcomes.values()).containsOnlyNulls();
  }

  @Test
  void testCases_programDied_flowsWithoutResultFail() throws Exception {
    var outcomes = run(PLAN + PASSED_EN + "out of memory\n");
    assertThat(outcomes.get("10-a en")).isNull();
    assertThat(outcomes.get("10-a zh")).hasMessageContaining("has not reported a result:\nout of");
    assertThat(outcomes.get(COMPLETE)).hasMessageContaining("regular end of the program");
  }

  @Test
  void testCases_noPlan_fails() throws Exception {
    var outcomes = run("Cannot find module\n");
    assertThat(outcomes.keySet()).containsExactly(COMPLETE);
    assertThat(outcomes.get(COMPLETE)).hasMessageContaining("Cannot find module");
  }

  @Test
  void testCases_requirementMissing_skippedWithReason() throws Exception {
    String lacks =
        """
        RESULT {"name":"10-a en","outcome":"lacks","requirement":"abacus","message":"no abacus"}
        """;
    var outcomes = run(PLAN + lacks + PASSED_ZH + ENDED);
    assertThat(outcomes.get("10-a en"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessage("skipped, no abacus: 10-a en: no abacus");
    assertThat(outcomes.get(COMPLETE)).isNull();
  }

  @Test
  void testCases_unknownResult_fails() throws Exception {
    String unknown = "RESULT {\"name\":\"11-b en\",\"outcome\":\"passed\"}\n";
    var outcomes = run(PLAN + PASSED_EN + PASSED_ZH + unknown + ENDED);
    assertThat(outcomes.get(COMPLETE)).hasMessageContaining("11-b en");
  }

  @Test
  void testCases_unknownOutcome_fails() throws Exception {
    var outcomes = run(PLAN + PASSED_EN.replace("passed", "skipped") + PASSED_ZH + ENDED);
    assertThat(outcomes.get("10-a en")).isInstanceOf(AssertionError.class);
  }

  @Test
  void testCases_fileOrLongFlowNotRun_fails() throws Exception {
    assertThat(run(PLAN.replace("10-a.mjs", "9.mjs") + PASSED_EN + PASSED_ZH + ENDED).get(COMPLETE))
        .hasMessageContaining("10-a.mjs");
    String leftOut = PLAN.replace("\"}]", "\",\"leftOut\":true}]");
    var outcomes = run(leftOut + PASSED_EN + ENDED);
    assertThat(outcomes.keySet()).containsExactly("10-a en", COMPLETE);
    assertThat(outcomes.get(COMPLETE)).hasMessageContaining("long flows");
  }

  /**
   * Runs the test cases for an output of the program; returns their exceptions, or null, by name.
   */
  private static Map<String, Throwable> run(String output) throws Exception {
    BufferedReader reader = new BufferedReader(new StringReader(output));
    Map<String, Throwable> outcomes = new LinkedHashMap<>();
    for (DynamicTest test : new FlowRun(reader, Set.of("10-a.mjs"), true).testCases().toList()) {
      outcomes.put(test.getDisplayName(), catchThrowable(test.getExecutable()::execute));
    }
    return outcomes;
  }
}
