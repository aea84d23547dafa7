package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.RuntimePlugin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenPaiV2PluginsTest {
  private static final String KEY = "extras[\"com.microsoft.pai.runtimeplugin\"]";

  private static final String FILE =
      """
      protocolVersion: 2
      name: a
      type: job
      secrets: {token: hunter2}
      parameters: {branch: main, epochs: 3}
      prerequisites:
      - {name: i, type: dockerimage, uri: ubuntu}
      - {name: s1, type: script, uri: one.git}
      - {name: s2, type: script, uri: two.git}
      - name: tool
        type: script
        plugin: com.microsoft.pai.runtimeplugin.cmd
        failurePolicy: ignore
        preCommands: [echo <% $script.uri %>]
      taskRoles:
        w:
          dockerImage: i
          script: s1
          prerequisites: [tool]
          resourcePerInstance: {cpu: 2, memoryMB: 300, gpu: 0}
          commands: [a]
        ps:
          dockerImage: i
          script: s2
          resourcePerInstance: {cpu: 2, memoryMB: 300, gpu: 0}
          commands: [a]
      extras:
        com.microsoft.pai.runtimeplugin:
      """;

  private static ParsedJob parse(String plugins) {
    return JobFiles.parse(FILE + plugins.indent(4));
  }

  private static List<RuntimePlugin> plugins(String text) {
    ParsedJob job = parse(text);
    assertThat(job.problems()).isEmpty();
    return job.spec().orElseThrow().extras().plugins();
  }

  private static List<String> warnings(ParsedJob job) {
    return job.warnings().stream()
        .map(warning -> warning.path() + " " + warning.message().code())
        .filter(warning -> !warning.contains("secrets"))
        .toList();
  }

  @Test
  void read_prerequisites_firstAndOnlyForTheirRole() {
    assertThat(plugins("- {plugin: cmd, parameters: {preCommands: [b]}}"))
        .containsExactly(
            new RuntimePlugin(
                "cmd",
                Map.of("name", "tool", "preCommands", List.of("echo one.git")),
                true,
                List.of("w")),
            new RuntimePlugin("cmd", Map.of("preCommands", List.of("b")), false, List.of()));
  }

  @Test
  void read_quotedNames_differByRole() {
    List<RuntimePlugin> allPlugins =
        plugins(
            """
            - plugin: git
              parameters:
                repo_uri: https://<% $secrets.token %>@host/<%$script.uri%>
                options: [--branch <% $parameters.branch %>]
            """);
    assertThat(allPlugins.subList(1, allPlugins.size()))
        .extracting(RuntimePlugin::roles, RuntimePlugin::parameters)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                List.of("w"),
                Map.of(
                    "repo_uri",
                    "https://<% $secrets.token %>@host/one.git",
                    "options",
                    List.of("--branch main"))),
            org.assertj.core.groups.Tuple.tuple(
                List.of("ps"),
                Map.of(
                    "repo_uri",
                    "https://<% $secrets.token %>@host/two.git",
                    "options",
                    List.of("--branch main"))));
  }

  @Test
  void read_taskRoles() {
    assertThat(plugins("- {plugin: git, taskroles: [ps], parameters: {repo_uri: x}}").getLast())
        .isEqualTo(new RuntimePlugin("git", Map.of("repo_uri", "x"), false, List.of("ps")));
    assertThat(plugins("- {plugin: git, taskroles: [], parameters: {repo_uri: x}}")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {plugin: cmd, parameters: {preCommands: [a <% b]}}   |
          {plugin: cmd}                                        |
          {plugin: cmd, parameters: {preCommands: ['<% $x %>'], postCommand: [a]}} | [0].parameters.postCommand jobfile.unknown-field-similar, [0].parameters jobfile.template-unknown, [0].parameters jobfile.template-unknown
          {plugin: git}                                        | [0].parameters jobfile.plugin-missing
          {plugin: tensorboard, parameters: {port: 1}}         | [0].parameters jobfile.plugin-missing
          {plugin: git, parameters: {repo_uri: x}, failurePolicy: retry} | [0].failurePolicy jobfile.plugin-policy
          {plugin: cmd, taskroles: [w, v]}                     | [0].taskroles jobfile.plugin-role
          {plugin: ssh, parameters: {jobssh: true, userssh: {}}} |
          {plugin: ssh, parameters: {userssh: {type: other, value: k}}} | [0].parameters.userssh jobfile.ssh-type
          {plugin: mine, parameters: {a: b}}                   | [0].plugin jobfile.plugin-unknown
          3                                                    | [0] jobfile.extras-form
          """)
  void read_warnings(String plugin, String expected) {
    ParsedJob job = parse("- " + plugin);
    assertThat(job.problems()).isEmpty();
    List<String> expectedWarnings =
        expected == null
            ? List.of()
            : List.of(expected.split(", ")).stream().map(suffix -> KEY + suffix).toList();
    assertThat(warnings(job)).containsExactlyInAnyOrderElementsOf(expectedWarnings);
  }

  @Test
  void read_withoutGang_noSshBetweenTasks() {
    String text =
        FILE.replace("extras:\n", "extras:\n  gangAllocation: false\n")
            + "    - {plugin: ssh, parameters: {jobssh: true}}\n";
    assertThat(warnings(JobFiles.parse(text)))
        .contains(KEY + "[0].parameters.jobssh jobfile.ssh-without-gang");
  }

  /**
   * A small file must not become a large job. Without the limit, this job would take hundreds of
   * megabytes.
   */
  @Test
  void read_quotedByManyRoles_rejectedInTime() {
    StringBuilder text = new StringBuilder(FILE.substring(0, FILE.indexOf("taskRoles:")));
    text.append("taskRoles:\n");
    for (int i = 0; i < 3_000; i++) {
      text.append("  r").append(i).append(": {dockerImage: i, prerequisites: [tool], ");
      text.append("resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [a]}\n");
    }
    String fileText = text.toString().replace("echo <% $script.uri %>", "x".repeat(100_000));
    assertThat(JobFiles.parse(fileText).problems())
        .extracting(problem -> problem.message().code())
        .containsExactly("jobfile.template-long");
  }

  /** With the secrets substituted at the start of a task, these commands would take a gigabyte. */
  @Test
  void read_secretQuotedTooOften_isRejected() {
    String text = FILE.replace("hunter2", "x".repeat(120_000));
    String references = "<%$secrets.token%>".repeat(8_000);
    assertThat(problems(text + command(references)))
        .containsExactly(KEY + "[0].parameters jobfile.template-long");
    assertThat(problems(text.replace("echo <% $script.uri %>", references)))
        .containsExactly("prerequisites jobfile.template-long");
  }

  /** Each plugin is within the limit, but a task gets all of them. */
  @Test
  void read_secretQuotedByTooManyPlugins() {
    String text = FILE.replace("hunter2", "x".repeat(120_000));
    String pluginText = command("<%$secrets.token%>".repeat(10));
    assertThat(problems(text + pluginText.repeat(3))).isEmpty();
    assertThat(problems(text + pluginText.repeat(4)))
        .containsExactly(KEY + "[3].parameters jobfile.template-long");
  }

  @Test
  void read_numbersForManyRoles_rejectedInTime() {
    StringBuilder text = new StringBuilder(FILE.substring(0, FILE.indexOf("taskRoles:")));
    text.append("extras:\n  com.microsoft.pai.runtimeplugin:\n");
    text.append("    - {plugin: cmd, parameters: {preCommands: ['<%', ");
    text.append("1, ".repeat(100_000)).append("1]}}\ntaskRoles:\n");
    for (int i = 0; i < 3_000; i++) {
      text.append("  r").append(i).append(": {dockerImage: i, ");
      text.append("resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [a]}\n");
    }
    assertThat(problems(text.toString()))
        .containsExactly(KEY + "[0].parameters jobfile.template-long");
  }

  private static String command(String text) {
    return "    - {plugin: cmd, taskroles: [w], parameters: {preCommands: ['" + text + "']}}\n";
  }

  private static List<String> problems(String text) {
    return JobFiles.parse(text).problems().stream()
        .map(problem -> problem.path() + " " + problem.message().code())
        .toList();
  }
}
