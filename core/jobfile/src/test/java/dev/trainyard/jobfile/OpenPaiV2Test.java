package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Capability;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobExtras;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.Prerequisite;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RolePrerequisites;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.StorageMount;
import dev.trainyard.model.TaskResources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenPaiV2Test {
  private static final String MINIMAL =
      """
      protocolVersion: 2
      name: a
      type: job
      prerequisites:
      - {name: i, type: dockerimage, uri: ubuntu}
      taskRoles:
        w:
          dockerImage: i
          resourcePerInstance: {cpu: 2, memoryMB: 300, gpu: 1}
          commands: [' true ']
      """;

  private static JobSpec spec(String text) {
    ParsedJob job = JobFiles.parse(text);
    assertThat(job.problems()).isEmpty();
    return job.spec().orElseThrow();
  }

  /** Returns the paths and codes of the problems; if there are none, of the warnings. */
  private static List<String> findings(String text) {
    ParsedJob job = JobFiles.parse(text);
    List<Problem> listed = job.problems().isEmpty() ? job.warnings() : job.problems();
    return listed.stream().map(p -> p.path() + " " + p.message().code()).toList();
  }

  @Test
  void read_defaults() {
    JobSpec spec = spec(MINIMAL);
    TaskResources resources =
        new TaskResources(2, DataSize.ofMegabytes(300), DataSize.ofMegabytes(512), 1, "");
    assertThat(spec)
        .isEqualTo(
            new JobSpec(
                JobFormat.OPENPAI_V2,
                "a",
                "ubuntu",
                "default",
                0,
                "",
                "",
                "",
                "",
                Map.of(),
                0,
                0,
                List.of(
                    new RoleSpec(
                        "w",
                        1,
                        resources,
                        List.of(),
                        "true",
                        1,
                        1,
                        "ubuntu",
                        0,
                        false,
                        new RolePrerequisites("i", "", "", "", List.of()),
                        true,
                        true)),
                List.of(
                    new Prerequisite(
                        "dockerimage",
                        "i",
                        Map.of("name", "i", "type", "dockerimage", "uri", "ubuntu"))),
                Map.of(),
                JobExtras.NONE));
    assertThat(findings(MINIMAL)).isEmpty();
  }

  @Test
  void read_commandsInTheirOrder() throws IOException {
    JobSpec spec = spec(VerdictsTest.text("openpai-v2/ok-v2-string-version.yaml"));
    RoleSpec role = spec.role("worker");
    assertThat(role.command())
        .isEqualTo("echo pre\necho 10\ncat http://example.org/a.tar\necho post");
    assertThat(role.minFailed()).isEqualTo(1);
    assertThat(role.minSucceeded()).isEqualTo(2);
    assertThat(role.ports()).containsExactly(new PortRequest("web", 0, 1));
    assertThat(role.resources().sharedMemory()).isEqualTo(DataSize.ofMegabytes(256));
    assertThat(role.prerequisites())
        .isEqualTo(new RolePrerequisites("img", "scr", "dat", "out", List.of()));
    assertThat(spec.parameters()).isEqualTo(Map.of("epochs", 10, "lr", 0.1));
    assertThat(spec.extras().submitFrom()).isEqualTo("test");
  }

  @ParameterizedTest
  @CsvSource({"null, 1, 4", "0, 1, 4", "-1, 0, 0", "-7, 0, 0", "2, 2, 2"})
  void read_completion(String count, int minFailed, int minSucceeded) {
    String completion =
        "    instances: 4\n    completion: {minFailedInstances: C, minSucceededInstances: C}\n";
    RoleSpec role =
        spec(MINIMAL.replace("  w:\n", "  w:\n" + completion.replace("C", count))).role("w");
    assertThat(role.minFailed()).isEqualTo(minFailed);
    assertThat(role.minSucceeded()).isEqualTo(minSucceeded);
  }

  @Test
  void read_secrets_notStored() {
    String text =
        MINIMAL.replace("' true '", "'echo <% $secrets.token %> <%$parameters.p%>'")
            + "secrets: {token: hunter2}\nparameters: {p: <% $secrets.token %>}\n";
    ParsedJob job = JobFiles.parse(text);
    assertThat(job.toString()).doesNotContain("hunter2");
    assertThat(job.text())
        .contains("secrets: {\"token\": \"******\"}\nparameters:")
        .doesNotContain("hunter2");
    String command = job.spec().orElseThrow().role("w").command();
    assertThat(command).isEqualTo("echo <% $secrets.token %> <% $secrets.token %>");
    assertThat(job.secrets().resolve(command)).isEqualTo("echo hunter2 hunter2");
    assertThat(job.warnings()).isEmpty();
    ParsedJob maskedJob = JobFiles.parse(job.text()).rejecting(JobFiles.MASKED);
    assertThat(maskedJob.spec()).isEmpty();
    assertThat(maskedJob.problems()).extracting(Problem::path).containsExactly("secrets.token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secrets: {token: !hunter2-hunter2 x}",
        "secrets: {token: *hunter2-hunter2 }",
        "secrets: {token: &hunter2-hunter2 x}",
        "secrets: {token: @hunter2-hunter2}",
        "secrets: {token: \"\\qhunter2-hunter2\"}",
        "secrets: [hunter2-hunter2]",
        "secrets: hunter2-hunter2",
        "secrets:\n  token: hunter2-hunter2\n  token: hunter2-hunter2\n",
        "secrets:\n  token: hunter2: hunter2\n",
        "secrets: {token: hunter2-hunter2",
      })
  void read_invalidSecrets_notQuoted(String secrets) {
    for (String text : List.of(MINIMAL + secrets, secrets + "\n" + MINIMAL, secrets)) {
      ParsedJob job = JobFiles.parse(text);
      assertThat(job.problems()).isNotEmpty();
      assertThat(job.toString()).doesNotContain("hunter2");
    }
  }

  @Test
  void read_secretsTooLong() {
    String longestSecret = "x".repeat(Secrets.MAX_LENGTH - "token".length());
    String text = MINIMAL + "secrets: {token: " + longestSecret;
    assertThat(findings(text + "}")).isEmpty();
    assertThat(findings(text + "y}")).containsExactly("secrets jobfile.secrets-long");
    String references = "<%$secrets.token%>".repeat(40);
    assertThat(findings((text + "}").replace("' true '", "'" + references + "'")))
        .containsExactly("taskRoles.w.commands jobfile.template-long");
  }

  @Test
  void read_extras() {
    String extras =
        """
        extras:
          submitFrom: vscode
          gangAllocation: false
          storages: [{name: nfs}, {name: blob, mountPath: /data}]
          hivedScheduler: {jobPriorityClass: prod, taskRoles: {w: {skuNum: 2, skuType: null}}}
          jobStatusChangeNotification: {failed: true, running: false}
          com.microsoft.pai.runtimeplugin:
          - plugin: git
            parameters: {repo_uri: x}
            failurePolicy: ignore
            taskroles: [w]
          - {plugin: teamwise_storage, parameters: {storageConfigNames: [nfs, more]}}
          - {plugin: strange}
          trainyard: {stopGraceSeconds: 5, gpuType: a100, capabilities: [CAP_IPC_LOCK]}
        """;
    JobSpec spec = spec(MINIMAL + extras);
    JobExtras parsedExtras = spec.extras();
    assertThat(parsedExtras.capabilities()).containsExactly(Capability.IPC_LOCK);
    assertThat(parsedExtras.submitFrom()).isEqualTo("vscode");
    assertThat(parsedExtras.gangAllocation()).isFalse();
    assertThat(parsedExtras.storages())
        .containsExactly(
            new StorageMount("nfs", "/mnt/nfs"),
            new StorageMount("blob", "/data"),
            new StorageMount("more", "/mnt/more"));
    assertThat(parsedExtras.priorityClass()).isEqualTo("prod");
    assertThat(parsedExtras.notifications()).containsExactly("failed");
    assertThat(parsedExtras.plugins()).hasSize(3);
    assertThat(parsedExtras.plugins().getFirst().ignoreFailure()).isTrue();
    assertThat(parsedExtras.plugins().getFirst().roles()).containsExactly("w");
    assertThat(spec.stopGrace()).isEqualTo(5);
    assertThat(spec.role("w").resources().deviceType()).isEqualTo("a100");
    assertThat(findings(MINIMAL + extras))
        .containsExactly(
            "extras.storages[0] jobfile.storage-own",
            "extras.storages[1] jobfile.storage-own",
            "extras.hivedScheduler jobfile.later",
            "extras.jobStatusChangeNotification jobfile.later",
            "extras[\"com.microsoft.pai.runtimeplugin\"] jobfile.storage-own",
            "extras[\"com.microsoft.pai.runtimeplugin\"][2].plugin jobfile.plugin-unknown");
    assertThat(spec(MINIMAL + "extras: {storages: []}").extras().defaultStorages()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          extras: 3                                    | extras jobfile.want-object
          defaults: 3                                  | defaults jobfile.want-object
          parameters:                                  | parameters jobfile.want-object
          secrets: hunter2                             | secrets jobfile.secrets-object
          version: null                                | version jobfile.want-text
          deployments: []                              | deployments jobfile.list-empty
          deployments: [{name: x}]                     | deployments[0].taskRoles jobfile.missing
          deployments: [{name: x, taskRoles: {w: {}}, own: 1}] |
          deployments: [{name: x, taskRoles: {v: {}}}] | deployments[0].taskRoles.v jobfile.deployment-role
          deployments: [{name: x, taskRoles: {w: {preCommands: []}}}] | deployments[0].taskRoles.w.preCommands jobfile.list-empty
          deployments: [{name: x, taskRoles: {w: {commands: [a]}}}] | deployments[0].taskRoles.w.commands jobfile.unknown-field
          extras: {gangAllocation: maybe}              | extras.gangAllocation jobfile.extras-form
          extras: {hostNetwork: true}                  | extras.hostNetwork jobfile.no-right
          extras: {privileged: true}                   | extras.privileged jobfile.no-right
          extras: {storages: all}                      | extras.storages jobfile.extras-form
          extras: {storages: []}                       | extras.storages jobfile.storage-defaults
          extras: {storages: [{name: ..}]}             | extras.storages[0] jobfile.storage-name
          extras: {storages: [{name: a/b}]}            | extras.storages[0] jobfile.storage-name
          extras: {storages: [{name: a, mountPath: /etc}]} | extras.storages[0] jobfile.storage-path
          extras: {storages: [{name: a, mountPath: data}]} | extras.storages[0] jobfile.storage-path
          extras: {com.microsoft.pai.runtimeplugin: x} | extras["com.microsoft.pai.runtimeplugin"] jobfile.extras-form
          extras: {hivedScheduler: {jobPriorityClass: high}} | extras.hivedScheduler.jobPriorityClass jobfile.priority
          extras: {hivedScheduler: {taskRoles: null, jobPriorityClass: null}} | extras.hivedScheduler jobfile.later
          extras: {hivedScheduler: {taskRoles: {w: {skuType: a, pinnedCellId: b}}}} | extras.hivedScheduler.taskRoles.w.pinnedCellId jobfile.cell-and-type
          extras: {trainyard: {stopGrace: 1}}          | extras.trainyard.stopGrace jobfile.unknown-field-similar
          """)
  void read_unknownField(String field, String finding) {
    assertThat(findings(MINIMAL + field)).isEqualTo(finding == null ? List.of() : List.of(finding));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cpu: 2           | cpu: -1                | resourcePerInstance.cpu jobfile.number-min
          cpu: 2           | cpu: 0                 | resourcePerInstance.cpu jobfile.raised
          cpu: 2           | cpu: 2.0               |
          cpu: 2           | cpu: '2'               | resourcePerInstance.cpu jobfile.number-min
          gpu: 1           | gpu: 1, ports: {a: x}  | resourcePerInstance.ports.a jobfile.number-range
          commands: [' true '] | commands: ['<% a'] | commands jobfile.template-open
          commands: [' true '] | commands: ['<%#a%>'] | commands jobfile.template-section
          commands: [' true '] | commands: true     | commands jobfile.want-list
          commands: [' true '] | commands: ["\\0"]  | commands[0] jobfile.text-nul
          dockerImage: i   | dockerImage: 3         | dockerImage jobfile.want-text
          """)
  void read_roleField(String oldText, String newText, String finding) {
    assertThat(findings(MINIMAL.replace(oldText, newText)))
        .isEqualTo(finding == null ? List.of() : List.of("taskRoles.w." + finding));
  }

  @Test
  void read_prerequisitesOfARole() {
    String line = "    dockerImage: i\n";
    assertThat(findings(MINIMAL.replace(line, line + "    prerequisites: [i, no]\n")))
        .containsExactly("taskRoles.w.prerequisites jobfile.no-prerequisite-any");
  }

  @Test
  void read_invalidPrerequisiteType_reportedOnce() {
    assertThat(findings(MINIMAL.replace("type: dockerimage", "type: docker")))
        .containsExactly("prerequisites[0].type jobfile.prerequisite-type");
  }

  @Test
  void read_parameterQuotedTooOften() {
    String text =
        MINIMAL.replace("' true '", "'" + "<% $parameters.p %>".repeat(20_000) + "'")
            + "parameters: {p: "
            + "x".repeat(10_000)
            + "}";
    assertThat(findings(text)).containsExactly("taskRoles.w.commands jobfile.template-long");
  }

  @Test
  void read_tooManyStorages_reportedOnce() {
    String maxStorages = names(OpenPaiV2Storages.MAX_STORAGES, "{name: s%d}");
    String extras = MINIMAL + "extras:\n  storages: [%s]\n";
    assertThat(spec(extras.formatted(maxStorages + ", " + maxStorages)).extras().storages())
        .hasSize(100);
    assertThat(findings(extras.formatted(names(3_000, "{name: s%d}"))))
        .containsExactly("extras.storages[100] jobfile.storage-many");
    String plugin =
        """
          com.microsoft.pai.runtimeplugin:
          - {plugin: teamwise_storage, parameters: {storageConfigNames: [%s]}}
        """;
    assertThat(spec(extras.formatted(maxStorages) + plugin.formatted("s1")).extras().storages())
        .hasSize(100);
    assertThat(findings(extras.formatted(maxStorages) + plugin.formatted(names(3_000, "t%d"))))
        .containsExactly("extras[\"com.microsoft.pai.runtimeplugin\"] jobfile.storage-many");
  }

  private static String names(int count, String format) {
    return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.joining(", "));
  }

  @Test
  void read_tooManyTasks() {
    assertThat(findings(MINIMAL.replace("  w:\n", "  w:\n    instances: 10001\n")))
        .containsExactly("taskRoles jobfile.too-many-tasks");
  }
}
