package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.model.Capability;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskResources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenPaiV1Test {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Parses the complete example after setting the field at a JSON pointer to a JSON value; {@code
   * -} removes the field.
   */
  private static ParsedJob parseWith(String pointer, String json) throws IOException {
    JsonNode document = JSON.readTree(VerdictsTest.text("openpai-v1/ok-v1-full.json"));
    int slash = pointer.lastIndexOf('/');
    ObjectNode parent = (ObjectNode) document.at(pointer.substring(0, slash));
    String field = pointer.substring(slash + 1);
    if (json.equals("-")) {
      parent.remove(field);
    } else {
      parent.set(field, JSON.readTree(json));
    }
    return JobFiles.parse(document.toPrettyString());
  }

  private static String toJson(String text) throws JsonProcessingException {
    return JSON.writeValueAsString(text);
  }

  @Test
  void read_outputDirectoryThatIsNotSaved_warns() {
    for (String directory : List.of("/usr/out", "/userhome", "/gshare/x")) {
      String text =
          """
          {"jobName": "a", "image": "i", "outputDir": "%s",
           "taskRoles": [{"name": "x", "command": "y"}]}
          """
              .formatted(directory);
      assertThat(JobFiles.parse(text).warnings())
          .extracting(warning -> warning.message().code())
          .containsExactly("jobfile.output-dir-not-saved");
    }
  }

  @Test
  void parse_minimal() throws IOException {
    JobSpec spec = JobFiles.parse(VerdictsTest.text("openpai-v1/ok-v1-minimal.json")).spec().get();

    TaskResources defaultResources =
        new TaskResources(1, DataSize.ofMegabytes(100), DataSize.ofMegabytes(64), 0, "");
    assertThat(spec)
        .isEqualTo(
            new JobSpec(
                JobFormat.OPENPAI_V1,
                "job-one_1.0",
                "example/image:1",
                "default",
                0,
                "",
                "",
                "",
                "",
                Map.of(),
                0,
                0,
                List.of(new RoleSpec("a", 1, defaultResources, List.of(), "true", 1, 0))));
  }

  /** OpenPAI converts such numbers. */
  @ParameterizedTest
  @CsvSource({
    "/retryCount, -2",
    "/taskRoles/0/taskNumber, 3",
    "/taskRoles/0/memoryMB, 9000",
    "/taskRoles/0/minFailedTaskCount, 1",
    "/taskRoles/0/portList/0/beginAt, 0"
  })
  void parse_numberInQuotes_isANumber(String pointer, String number) throws IOException {
    JobSpec plain = parseWith(pointer, number).spec().orElseThrow();
    assertThat(parseWith(pointer, toJson(number)).spec()).contains(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "/taskRoles/0/taskNumber, 0",
    "/taskRoles/0/taskNumber, 1.5",
    "/taskRoles/0/taskNumber, ''",
    "/taskRoles/0/memoryMB, 99999999999"
  })
  void parse_invalidNumberInQuotes_isAProblem(String pointer, String text) throws IOException {
    assertThat(parseWith(pointer, toJson(text)).problems()).isNotEmpty();
  }

  @Test
  void parse_distributed() throws IOException {
    String file = "leinao-rdma_tensorflow_distribution-submit_job.json";
    JobSpec spec = JobFiles.parse(VerdictsTest.text("openpai-v1/" + file)).spec().get();

    assertThat(spec.taskCount()).isEqualTo(5);
    assertThat(spec.role("ps").resources().deviceType()).isEmpty();
    RoleSpec worker = spec.role("worker");
    assertThat(worker.resources().deviceType()).isEqualTo("titanxp");
    assertThat(worker.resources().devices()).isEqualTo(1);
    assertThat(worker.minFailed()).isEqualTo(1);
    assertThat(worker.minSucceeded()).isEqualTo(4);
    assertThat(worker.resources().memory()).isEqualTo(DataSize.ofMegabytes(16384));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "/jobName § `~` § jobfile.job-name",
        "/jobName § `alice~job` § jobfile.job-name",
        "/jobName § `😀` § jobfile.job-name",
        "/jobName § `.` § jobfile.job-name",
        "/jobName § `..` § jobfile.job-name",
        "/jobName § `a/b` § jobfile.job-name",
        "/jobName § `a\\n` § jobfile.job-name",
        "/jobName § `` § jobfile.text-empty",
        "/jobName § `a\\u0000` § jobfile.text-nul",
        "/jobName § 5 § jobfile.want-text",
        "/jobName § null § jobfile.want-text",
        "/image § ` ` § jobfile.text-empty",
        "/image § `a b` § jobfile.image",
        "/image § {} § jobfile.want-text",
        "/dataDir § `/a\\u0000b` § jobfile.text-nul",
        "/dataDir § `/a\\ud83d` § jobfile.text-surrogate",
        "/dataDir § `/a\\nb` § jobfile.text-line",
        "/outputDir § 1 § jobfile.want-text",
        "/codeDir § [] § jobfile.want-text",
        "/authFile § null § jobfile.want-text",
        "/virtualCluster § `a/b` § jobfile.virtual-cluster",
        "/gpuType § 1080 § jobfile.want-text",
        "/gpuType § `\\u001b[31m` § jobfile.device-type",
        "/retryCount § -3 § jobfile.number-min",
        "/retryCount § 1.5 § jobfile.number-min",
        "/retryCount § `x` § jobfile.number-min",
        "/retryCount § null § jobfile.number-min",
        "/retryCount § 2147483648 § jobfile.number-range",
        "/killAllOnCompletedTaskNumber § `x` § jobfile.want-number",
        "/jobEnvs § [] § jobfile.want-object",
        "/jobEnvs § null § jobfile.want-object",
        "/extras § `x` § jobfile.want-object",
        "/taskRoles § {} § jobfile.want-list",
        "/taskRoles § null § jobfile.want-list",
        "/protocol § 1 § jobfile.unknown-field",
      })
  void parse_wrongTopField(String pointer, String json, String code) throws IOException {
    ParsedJob job = parseWith(pointer, json.replace('`', '"'));
    assertThat(job.problems())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .containsExactly(pointer.substring(1) + " " + code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "name § - § jobfile.missing",
        "name § `` § jobfile.text-empty",
        "name § `.` § jobfile.role-name",
        "name § `-` § jobfile.role-name",
        "name § `a/b` § jobfile.role-name",
        "name § `工人` § jobfile.role-name",
        "command § `` § jobfile.text-empty",
        "command § ` \\n` § jobfile.text-empty",
        "command § [`true`] § jobfile.want-text",
        "command § `a\\u0000b` § jobfile.text-nul",
        "taskNumber § 0 § jobfile.number-min",
        "taskNumber § -1 § jobfile.number-min",
        "cpuNumber § 0 § jobfile.number-min",
        "cpuNumber § 1.0 § jobfile.number-min",
        "cpuNumber § 1e2 § jobfile.number-min",
        "memoryMB § 99 § jobfile.number-min",
        "memoryMB § 99999999999999999999999 § jobfile.number-range",
        "shmMB § 63 § jobfile.number-min",
        "shmMB § 513 § jobfile.shm-above-memory",
        "gpuNumber § -1 § jobfile.number-min",
        "gpuNumber § `x` § jobfile.number-min",
        "gpuNumber § true § jobfile.number-min",
        "portList § {} § jobfile.want-list",
        "minFailedTaskCount § 0 § jobfile.number-or-null",
        "minFailedTaskCount § 3 § jobfile.count-above-tasks",
        "minSucceededTaskCount § 3 § jobfile.count-above-tasks",
        "minSucceededTaskCount § -1 § jobfile.number-or-null",
        "GPUNumber § 1 § jobfile.unknown-field-similar",
      })
  void parse_wrongRoleField(String field, String json, String code) throws IOException {
    ParsedJob job = parseWith("/taskRoles/0/" + field, json.replace('`', '"'));
    assertThat(job.problems())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .containsExactly("taskRoles[0]." + field + " " + code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "label § `a b` § jobfile.port-label",
        "label § `` § jobfile.text-empty",
        "label § 1 § jobfile.want-text",
        "beginAt § -1 § jobfile.number-range",
        "beginAt § 65536 § jobfile.number-range",
        "portNumber § 0 § jobfile.number-range",
        "port § 80 § jobfile.unknown-field-similar",
      })
  void parse_wrongPortField(String field, String json, String code) throws IOException {
    ParsedJob job = parseWith("/taskRoles/0/portList/0/" + field, json.replace('`', '"'));
    assertThat(job.problems())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .containsExactly("taskRoles[0].portList[0]." + field + " " + code);
  }

  @Test
  void parse_ports() throws IOException {
    String list = "[{\"label\":\"web\"},{\"label\":\"db\",\"beginAt\":5000,\"portNumber\":3}]";
    JobSpec spec = parseWith("/taskRoles/0/portList", list).spec().get();
    assertThat(spec.roles().getFirst().ports())
        .containsExactly(new PortRequest("web", 0, 1), new PortRequest("db", 5000, 3));
  }

  @Test
  void parse_wrongPorts() throws IOException {
    String list =
        "[{\"label\":\"a\"},{\"label\":\"a\"},{\"label\":\"b\",\"beginAt\":65535,\"portNumber\":2},3]";
    assertThat(parseWith("/taskRoles/0/portList", list).problems())
        .extracting(Problem::path)
        .containsExactly(
            "taskRoles[0].portList[1].label",
            "taskRoles[0].portList[2].portNumber",
            "taskRoles[0].portList[3]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_on_1_gpu", "a-b", "a.b.c", "~", "0", "PS"})
  void parse_roleNames(String name) throws IOException {
    assertThat(parseWith("/taskRoles/0/name", toJson(name)).problems()).isEmpty();
  }

  @Test
  void parse_nameLengths() throws IOException {
    assertThat(parseWith("/jobName", toJson("n".repeat(255))).problems()).isEmpty();
    assertThat(parseWith("/jobName", toJson("n".repeat(256))).problems()).hasSize(1);
    assertThat(parseWith("/taskRoles/0/name", toJson("n".repeat(128))).problems()).isEmpty();
    assertThat(parseWith("/taskRoles/0/name", toJson("n".repeat(129))).problems()).hasSize(1);
  }

  @Test
  void parse_numberOfTasks() throws IOException {
    assertThat(parseWith("/taskRoles/0/taskNumber", "10000").problems()).isEmpty();
    ParsedJob job = parseWith("/taskRoles/0/taskNumber", "10001");
    assertThat(job.problems()).extracting(Problem::path).containsExactly("taskRoles");
    assertThat(job.problems().getFirst().message().english())
        .isEqualTo("a job can have at most 10000 tasks, found 10001");
    assertThat(parseWith("/taskRoles/0/taskNumber", "2147483647").problems()).hasSize(1);
  }

  @Test
  void parse_numberOfRoles() throws IOException {
    assertThat(parseWith("/taskRoles", "[" + "{},".repeat(10_000) + "{}]").problems())
        .extracting(Problem::path)
        .containsExactly("taskRoles");
  }

  @Test
  void parse_completionRules() throws IOException {
    RoleSpec disabledRule =
        parseWith("/taskRoles/0/minFailedTaskCount", "null").spec().get().role("main");
    assertThat(disabledRule.minFailed()).isZero();
    assertThat(disabledRule.minSucceeded()).isZero();
    RoleSpec defaultRule =
        parseWith("/taskRoles/0/minFailedTaskCount", "-").spec().get().role("main");
    assertThat(defaultRule.minFailed()).isEqualTo(1);
    RoleSpec explicitRule =
        parseWith("/taskRoles/0/minSucceededTaskCount", "2").spec().get().role("main");
    assertThat(explicitRule.minSucceeded()).isEqualTo(2);
  }

  @Test
  void parse_sharedMemoryAboveDefaultMemory() throws IOException {
    ParsedJob job =
        JobFiles.parse(
            VerdictsTest.text("openpai-v1/ok-v1-minimal.json")
                .replace("\"name\"", "\"shmMB\": 101, \"name\""));
    assertThat(job.problems()).extracting(Problem::path).containsExactly("taskRoles[0].shmMB");
  }

  @Test
  void parse_environment() throws IOException {
    String variables = "{\"z\":\"1\",\"a\":2.50,\"b\":true,\"c\":\"\",\"d\":-0,\"e\":\"x=y\\n\"}";
    JobSpec spec =
        JobFiles.parse(
                VerdictsTest.text("openpai-v1/ok-v1-minimal.json")
                    .replaceFirst("\\{", "{\"jobEnvs\":" + variables.replace("\\", "\\\\") + ","))
            .spec()
            .get();
    assertThat(spec.environment())
        .containsExactly(
            Map.entry("z", "1"),
            Map.entry("a", "2.50"),
            Map.entry("b", "true"),
            Map.entry("c", ""),
            Map.entry("d", "-0"),
            Map.entry("e", "x=y\n"));
    assertThat(spec.keepFailed()).isZero();
  }

  @Test
  void parse_wrongEnvironment() throws IOException {
    String variables =
        "{\"\":\"1\",\"a=b\":1,\"c\\u0000\":1,\"d\":null,\"e\":{},\"f\":[1],\"g\":\"\\u0000\",\"h\":"
            + toJson("x".repeat(200_000))
            + "}";
    assertThat(parseWith("/jobEnvs", variables).problems())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .containsExactly(
            "jobEnvs[\"\"] jobfile.env-name",
            "jobEnvs[\"a=b\"] jobfile.env-name",
            "jobEnvs[\"c\uFFFD\"] jobfile.env-name",
            "jobEnvs.d jobfile.env-value",
            "jobEnvs.e jobfile.env-value",
            "jobEnvs.f jobfile.env-value",
            "jobEnvs.g jobfile.text-nul",
            "jobEnvs.h jobfile.env-long");
  }

  @Test
  void parse_debugKeepsFailedTasks() throws IOException {
    ParsedJob job = JobFiles.parse(VerdictsTest.text("openpai-v1/ok-v1-envs.json"));
    assertThat(job.spec().get().keepFailed()).isEqualTo(604_800);
    assertThat(job.warnings()).extracting(Problem::path).contains("jobEnvs.isDebug");
  }

  @Test
  void parse_debugPoolMeansAnyDevice() throws IOException {
    ParsedJob job =
        JobFiles.parse(VerdictsTest.text("openpai-v1/leinao-start-jupyter-start-jupyter.json"));
    assertThat(job.spec().get().roles().getFirst().resources().deviceType()).isEmpty();
    assertThat(job.warnings())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .containsExactly("gpuType jobfile.debug-pool");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "/authFile § `hdfs://h/auth` § jobfile.remote-auth-file",
        "/codeDir § `/code` § jobfile.later",
        "/dataDir § `hdfs://10.0.0.1:9000/data` § jobfile.remote-directory",
        "/outputDir § `s3://bucket/key` § jobfile.remote-directory",
        "/outputDir § `$PAI_DEFAULT_FS_URI/out` § jobfile.no-default-file-system",
        "/killAllOnCompletedTaskNumber § 1 § jobfile.kill-all",
      })
  void parse_warnings(String pointer, String json, String code) throws IOException {
    ParsedJob job = parseWith(pointer, json.replace('`', '"'));
    assertThat(job.problems()).isEmpty();
    assertThat(job.warnings())
        .extracting(problem -> problem.path() + " " + problem.message().code())
        .contains(pointer.substring(1) + " " + code);
  }

  @Test
  void parse_noUnnecessaryWarnings() throws IOException {
    ParsedJob job = JobFiles.parse(VerdictsTest.text("openpai-v1/seed-000-cifar10.json"));
    assertThat(job.warnings()).isEmpty();
    assertThat(job.spec().get().dataDir()).isEqualTo("/tmp/data");
    assertThat(job.spec().get().outputDir()).isEqualTo("/tmp/output");
  }

  @Test
  void parse_emptyObject() {
    assertThat(JobFiles.parse("{}").problems())
        .extracting(Problem::path)
        .containsExactlyInAnyOrder("jobName", "image", "taskRoles");
  }

  @Test
  void parse_positionsOfProblems() throws IOException {
    ParsedJob job = JobFiles.parse(VerdictsTest.text("openpai-v1/bad-v1-three.json"));
    assertThat(job.problems())
        .extracting(problem -> problem.line() + ":" + problem.column() + " " + problem.path())
        .containsExactly(
            "12:21 taskRoles[0].taskNumber",
            "13:20 taskRoles[0].cpuNumber",
            "14:19 taskRoles[0].memoryMB");
    ParsedJob jobWithoutCommand =
        JobFiles.parse(VerdictsTest.text("openpai-v1/bad-v1-no-command.json"));
    assertThat(jobWithoutCommand.problems().getFirst().line()).isEqualTo(10);
    assertThat(jobWithoutCommand.problems().getFirst().column()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "{} § 0",
        "{`anything`: [1]} § 0",
        "{`trainyard`: {}} § 0",
        "{`trainyard`: {`stopGraceSeconds`: 90}, `submitFrom`: `x`} § 90",
      })
  void parse_stopGrace(String extras, int expected) throws IOException {
    ParsedJob job = parseWith("/extras", extras.replace('`', '"'));
    assertThat(job.problems()).isEmpty();
    assertThat(job.spec().get().stopGrace()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "{`trainyard`: 5} § extras.trainyard",
        "{`trainyard`: {`stopGraceSeconds`: 0}} § extras.trainyard.stopGraceSeconds",
        "{`trainyard`: {`stopGraceSeconds`: `5s`}} § extras.trainyard.stopGraceSeconds",
        "{`trainyard`: {`stopgrace`: 5}} § extras.trainyard.stopgrace",
        "{`trainyard`: {`capabilities`: `SYS_ADMIN`}} § extras.trainyard.capabilities",
        "{`trainyard`: {`capabilities`: [`NET_ADMIN`]}} § extras.trainyard.capabilities",
        "{`trainyard`: {`capabilities`: []}} § extras.trainyard.capabilities",
        "{`trainyard`: {`capabilities`: [7]}} § extras.trainyard.capabilities[0]",
      })
  void parse_wrongTrainyardExtras(String extras, String path) throws IOException {
    assertThat(parseWith("/extras", extras.replace('`', '"')).problems())
        .extracting(problem -> problem.path())
        .containsExactly(path);
  }

  @Test
  void parse_capabilities() throws IOException {
    String json = "{\"trainyard\": {\"capabilities\": [\"SYS_ADMIN\", \"cap_sys_admin\"]}}";
    ParsedJob job = parseWith("/extras", json);
    assertThat(job.problems()).isEmpty();
    assertThat(job.spec().get().extras().capabilities()).containsExactly(Capability.SYS_ADMIN);
  }
}
