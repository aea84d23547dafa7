package dev.trainyard.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the generated scripts in a shell of this host. */
class PluginScriptsTest {
  @TempDir Path directory;

  private static JobSpec spec(String plugins) {
    String file =
        """
        protocolVersion: 2
        name: a
        type: job
        prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
        secrets: {key: it's}
        taskRoles:
          w: {instances: 2, dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [a]}
          v: {dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [a]}
        extras:
          com.microsoft.pai.runtimeplugin:
        """;
    var job = JobFiles.parse(file + plugins.indent(4));
    assertThat(job.problems()).isEmpty();
    return job.spec().orElseThrow();
  }

  private static PluginScripts scripts(String plugins, String role) {
    JobSpec spec = spec(plugins);
    return PluginScripts.of(
        spec, spec.role(role), text -> text.replace("<% $secrets.key %>", "it's"));
  }

  /** Returns the output of a task and, at the end, its exit code. */
  private List<String> run(PluginScripts scripts, String command) throws Exception {
    Path platform = Files.createDirectories(directory.resolve("pai"));
    Path secrets = Files.createDirectories(directory.resolve("secrets"));
    for (var file : scripts.files().entrySet()) {
      if (!file.getKey().endsWith("/")) {
        write(platform.resolve(file.getKey()), file.getValue());
      }
    }
    for (var file : scripts.secrets().entrySet()) {
      write(secrets.resolve(file.getKey()), file.getValue());
    }
    Path script = write(directory.resolve("user.sh"), command);
    Process process =
        new ProcessBuilder(
                "sh",
                platform.resolve("runtime.d/around.sh").toString(),
                secrets.toString(),
                script.toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    List<String> lines;
    try (Stream<String> read = process.inputReader().lines()) {
      lines = read.toList();
    }
    return Stream.concat(lines.stream(), Stream.of("= " + process.waitFor())).toList();
  }

  private static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void of_noPlugins_nothing() {
    assertThat(
            scripts("- {plugin: cmd, taskroles: [v], parameters: {preCommands: [a]}}", "w").files())
        .isEmpty();
    assertThat(scripts("- {plugin: strange}", "w").files()).isEmpty();
    assertThat(scripts("- {plugin: ssh, parameters: {jobssh: false}}", "w").files()).isEmpty();
  }

  @Test
  void run_pluginOrder_isReversedAfterCommand() throws Exception {
    PluginScripts scripts =
        scripts(
            """
            - {plugin: cmd, parameters: {preCommands: [echo 1, echo 2], postCommands: [echo 6]}}
            - plugin: cmd
              parameters:
                callbacks:
                - {event: taskStarts, commands: [echo 3]}
                - {event: taskSucceeds, commands: [echo 5]}
            """,
            "w");
    assertThat(run(scripts, "echo 4; exit 0")).containsExactly("1", "2", "3", "4", "5", "6", "= 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fail   | exit 3 | true   | true  | [trainyard: the runtime plugin cmd failed with exit code 3];= 3
          fail   | false  | true   | true  | [trainyard: the runtime plugin cmd failed with exit code 1];= 1
          ignore | false  | true   | true  | before;command;after;= 0
          ignore | exit 3 | true   | true  | [trainyard: the runtime plugin cmd ended with 3, which is ignored];command;after;= 0
          fail   | true   | exit 4 | true  | before;command;= 4
          fail   | true   | true   | false | before;command;[trainyard: the runtime plugin cmd failed with exit code 1];= 1
          fail   | true   | kill -9 $$ | true | before;command;= 137
          """)
  void run_failures(String policy, String before, String command, String after, String expected)
      throws Exception {
    PluginScripts scripts =
        scripts(
            """
            - plugin: cmd
              failurePolicy: %s
              parameters: {preCommands: [%s, echo before], postCommands: [%s, echo after]}
            """
                .formatted(policy, before, after),
            "w");
    assertThat(
            run(scripts, "echo command\n" + command).stream()
                .filter(line -> !line.contains("Killed")))
        .containsExactly(expected.split(";"));
  }

  @Test
  void run_stoppedBeforeCommand_commandIsNotStarted() throws Exception {
    PluginScripts scripts =
        scripts("- {plugin: cmd, parameters: {preCommands: [kill -TERM $PPID, 'true']}}", "w");
    assertThat(run(scripts, "echo command")).containsExactly("= 143");
  }

  @Test
  void run_secret_isQuotedAfterSubstitution() throws Exception {
    PluginScripts scripts =
        scripts("- {plugin: git, parameters: {repo_uri: '/no/<% $secrets.key %>'}}", "w");
    assertThat(scripts.files().toString()).doesNotContain("it's").doesNotContain("/no/");
    assertThat(scripts.secrets()).containsOnlyKeys("plugin_pre0.sh");
    assertThat(scripts.secrets().get("plugin_pre0.sh")).contains("clone -- '/no/it'\\''s'");
  }

  private Path repository() throws Exception {
    Path source = directory.resolve("source");
    for (List<String> command :
        List.of(
            List.of("git", "init", "-q", "-b", "other", source.toString()),
            List.of(
                "git",
                "-C",
                source.toString(),
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "first"))) {
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
    return source;
  }

  /**
   * Works regardless of the location of the script: one that contains a secret is not in the
   * platform's directory.
   */
  @ParameterizedTest
  @CsvSource({"source, source", "'<% $secrets.key %>', 'it''s'"})
  void run_git_defaultDirectoryIsPlatformCode(String written, String real) throws Exception {
    Path source = repository();
    Files.move(source, source.resolveSibling(real));
    Path code = Files.createDirectories(directory.resolve("pai/code"));
    String plugin =
        "- {plugin: git, parameters: {repo_uri: \"" + directory + "/" + written + "\"}}";
    PluginScripts scripts = scripts(plugin, "w");
    assertThat(scripts.secrets().isEmpty()).isEqualTo(written.equals(real));
    assertThat(run(scripts, "git -C pai/code branch")).endsWith("* other", "= 0");
    assertThat(code).isNotEmptyDirectory();
  }

  @Test
  void run_git_clonesWithOptions() throws Exception {
    Path source = repository();
    String plugin =
        """
        - plugin: git
          parameters:
            repo_uri: %s
            options: ['--depth 1', '--branch="other"']
            clone_dir: $PWD/its code
        """
            .formatted(source);
    PluginScripts scripts = scripts(plugin, "w");
    assertThat(run(scripts, "git -C 'its code' branch")).endsWith("* other", "= 0");
    assertThat(run(scripts, "true"))
        .anyMatch(line -> line.contains("already exists and is not an empty directory"))
        .endsWith("= 255");
    assertThat(scripts.files()).doesNotContainKey("code/");
    assertThat(scripts("- {plugin: git, parameters: {repo_uri: x}}", "w").files())
        .containsEntry("code/", "/run/pai-code");
  }

  @Test
  void of_tensorboard_firstRoleOnly() {
    String plugin = "- {plugin: tensorboard, parameters: {port: 60, logdir: {a: ~/x, b: $HOME/y}}}";
    assertThat(scripts(plugin, "w").files().get("runtime.d/plugin_pre0.sh"))
        .startsWith("port='60'\nseveral=1\nlogdir=\"a:~/x,b:$HOME/y\"\n");
    assertThat(scripts(plugin, "v").files()).isEmpty();
    String single = "- {plugin: tensorboard, taskroles: [v], parameters: {logdir: {a: ~/x}}}";
    assertThat(scripts(single, "v").files().get("runtime.d/plugin_pre0.sh"))
        .startsWith("port=''\nseveral=0\nlogdir=\"$HOME/x\"\n");
  }

  @Test
  void of_ssh_parameters() {
    String plugin =
        """
        - plugin: ssh
          parameters:
            jobssh: true
            sshbarrier: 'true'
            sshbarrierTimeout: 5
            userssh: {type: custom, value: 'ssh-rsa A it''s\\nssh-rsa B'}
        """;
    assertThat(scripts(plugin, "v").files().get("runtime.d/plugin_pre0.sh"))
        .startsWith("jobssh=true\nkeys='ssh-rsa A it'\\''s\nssh-rsa B'\nbarrier=5\nalone=false\n");
    JobSpec spec = spec("- {plugin: ssh, taskroles: [w], parameters: {jobssh: true}}");
    assertThat(SshPlugin.startsServer(spec, "w")).isTrue();
    assertThat(SshPlugin.startsServer(spec, "v")).isFalse();
    assertThat(PluginScripts.of(spec, spec.role("w"), UnaryOperator.identity()).files())
        .containsOnlyKeys("runtime.d/around.sh", "runtime.d/plugin_pre0.sh");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {jobssh: true}                                           | 0
          {jobssh: true, sshbarrier: true}                         | 255
          {jobssh: true, userssh: {type: custom, value: ssh-rsa A}} | 255
          """)
  void run_sshWithoutSshd_failsIfServerIsNeeded(String parameters, int code) throws Exception {
    String script =
        scripts("- {plugin: ssh, parameters: " + parameters + "}", "w")
            .files()
            .get("runtime.d/plugin_pre0.sh")
            .replace("/usr/sbin/sshd", "/nowhere/sshd");
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
    shell.environment().put("PAI_PLUGIN_SECRETS", "/usr/local/pai/secrets");
    Process process = shell.start();
    try (Stream<String> said = process.inputReader().lines()) {
      assertThat(said).anyMatch(line -> line.contains("there is no sshd in this task"));
    }
    assertThat(process.waitFor()).isEqualTo(code);
  }

  @Test
  void words_splitsLikeShell() {
    assertThat(ShellText.words(" --depth 1  \"a b\"c '' "))
        .containsExactly("--depth", "1", "a bc", "");
    assertThat(ShellText.expanded("~/a\"b`c`\\")).isEqualTo("\"$HOME/a\\\"b\\`c\\`\\\\\"");
    assertThat(Map.of("a", ShellText.quoted("it's"))).containsValue("'it'\\''s'");
  }
}
