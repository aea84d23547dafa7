package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.RetryState;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.user.User;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every variable that OpenPAI documents, with its value. Ports start at 1000 * (rank + 1) and
 * increase in the order of the labels; addresses are 127.0.0.(rank + 1).
 */
class TaskVariablesTest {
  private static final JobId ID = new JobId("01HF7YAT00JFVCAVDN9Q91WCGD");
  private static final Path DATA = Path.of("/data");

  private static final String V1 =
      """
      {"jobName": "hello", "image": "x", "virtualCluster": "vc", "dataDir": "/userhome/d",
       "outputDir": "/userhome/$PAI_JOB_NAME", "codeDir": "/userhome/c", "retryCount": 1,
       "jobEnvs": {"MINE": " x ", "RANK": "9"},
       "taskRoles": [
        {"name": "ps", "taskNumber": 1, "cpuNumber": 2, "memoryMB": 300, "command": "x",
         "portList": [{"label": "grpc", "portNumber": 2}]},
        {"name": "My-Worker", "taskNumber": 2, "gpuNumber": 3, "shmMB": 80, "command": "x",
         "minSucceededTaskCount": 2}]}
      """;

  private static final String V2 =
      """
      protocolVersion: 2
      name: hello
      type: job
      prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
      taskRoles:
        ps:
          dockerImage: i
          completion: {minFailedInstances: 1, minSucceededInstances: -1}
          resourcePerInstance: {cpu: 2, memoryMB: 300, gpu: 0, ports: {grpc: 2}}
          commands: [x]
        My_Worker:
          instances: 2
          dockerImage: i
          resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 3}
          extraContainerOptions: {shmMB: 80}
          commands: [x]
      defaults: {virtualCluster: vc}
      """;

  private static final String OWN_AND_PEERS =
      """
      PAI_CURRENT_CONTAINER_IP=127.0.0.3
      PAI_CURRENT_CONTAINER_PORT=3001
      PAI_CONTAINER_HOST_IP=127.0.0.3
      PAI_CONTAINER_HOST_PORT=3001
      PAI_CONTAINER_SSH_PORT=3000
      PAI_CONTAINER_HOST_PORT_LIST=ssh:3000;http:3001;
      PAI_CONTAINER_HOST_ssh_PORT_LIST=3000
      PAI_CONTAINER_HOST_http_PORT_LIST=3001
      PAI_HOST_IP_ps_0=127.0.0.1
      PAI_PORT_LIST_ps_0_grpc=1000,1001
      PAI_PORT_LIST_ps_0_ssh=1002
      PAI_PORT_LIST_ps_0_http=1003
      PAI_ps_0_grpc_PORT=1000,1001
      PAI_ps_0_ssh_PORT=1002
      PAI_ps_0_http_PORT=1003
      PAI_TASK_ROLE_ps_HOST_LIST=127.0.0.1:1003
      """;

  /** Variables under both spellings of a role. */
  private static final String PEERS_OF_WORKER =
      """
      PAI_HOST_IP_ROLE_0=127.0.0.2
      PAI_HOST_IP_ROLE_1=127.0.0.3
      PAI_PORT_LIST_ROLE_0_ssh=2000
      PAI_PORT_LIST_ROLE_0_http=2001
      PAI_PORT_LIST_ROLE_1_ssh=3000
      PAI_PORT_LIST_ROLE_1_http=3001
      PAI_ROLE_0_ssh_PORT=2000
      PAI_ROLE_0_http_PORT=2001
      PAI_ROLE_1_ssh_PORT=3000
      PAI_ROLE_1_http_PORT=3001
      PAI_TASK_ROLE_ROLE_HOST_LIST=127.0.0.2:2001,127.0.0.3:3001
      """;

  private static final String COMMON =
      """
      PAI_USER_NAME=alice
      PAI_USERNAME=alice
      PAI_DEFAULT_FS_URI=
      PAI_VIRTUAL_CLUSTER=vc
      PAI_TASK_ROLE_COUNT=2
      PAI_TASK_ROLES_NUM=2
      PAI_JOB_TASK_ROLE_COUNT=2
      PAI_TASK_ROLE_LIST=ps,WORKER
      PAI_JOB_TASK_ROLE_LIST=ps,WORKER
      PAI_TASK_ROLE_INSTANCES=ps:0,myworker:0,myworker:1
      PAI_TASKS_NUM=3
      PAI_JOB_TASK_COUNT=3
      PAI_TASK_ROLE_TASK_COUNT_ps=1
      PAI_TASK_ROLE_TASK_COUNT_WORKER=2
      PAI_RESOURCE_WORKER=3,1,100,80
      PAI_MIN_FAILED_TASK_COUNT_ps=1
      PAI_MIN_FAILED_TASK_COUNT_WORKER=1
      PAI_MIN_SUCCEEDED_TASK_COUNT_WORKER=2
      PAI_CURRENT_TASK_ROLE_NAME=WORKER
      PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX=1
      PAI_CURRENT_TASK_ROLE_TASK_COUNT=2
      PAI_CURRENT_TASK_ROLE_CPU_COUNT=1
      PAI_CURRENT_TASK_ROLE_MEM_MB=100
      PAI_CURRENT_TASK_ROLE_SHM_MB=80
      PAI_CURRENT_TASK_ROLE_GPU_COUNT=3
      PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT=1
      PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT=2
      PAI_TASK_INDEX=1
      PAI_TASK_ROLE_NAME=WORKER
      PAI_TASK_ROLE_NUM=2
      PAI_TASK_ROLE_INDEX=1
      PAI_TASK_CPU_NUM=1
      PAI_TASK_MEM_MB=100
      PAI_TASK_GPU_NUM=3
      PAI_RESOURCE=3,1,100,80
      PAI_CONTAINER_ID=01HF7YAT00JFVCAVDN9Q91WCGD.2.WORKER.1
      """;

  private static final String ONLY_V1 =
      """
      PAI_JOB_NAME=hello
      PAI_JOB_VC_NAME=vc
      PAI_DATA_DIR=/userhome/d
      PAI_OUTPUT_DIR=/userhome/hello
      PAI_CODE_DIR=/userhome/c
      PAI_KILL_ALL_ON_COMPLETED_TASK_NUM=0
      PAI_RESOURCE_ps=0,2,300,64
      PAI_MIN_SUCCEEDED_TASK_COUNT_ps=
      """;

  private static final String ONLY_V2 =
      """
      PAI_JOB_NAME=alice~hello
      PAI_FRAMEWORK_NAME=alice~hello
      PAI_OUTPUT_DIR=/joboutput
      PAI_RESOURCE_ps=0,2,300,0
      PAI_MIN_SUCCEEDED_TASK_COUNT_ps=-1
      FC_FRAMEWORK_NAMESPACE=default
      FC_FRAMEWORK_NAME=382d75c6cb2081fb4562a00b91855adc
      FC_FRAMEWORK_UID=d05e0c9c-e5f6-392f-99db-178fe22b92e1
      FC_FRAMEWORK_ATTEMPT_ID=1
      FC_FRAMEWORK_ATTEMPT_INSTANCE_UID=1_dce0b84c-882c-3303-8418-371a8da86fdf
      FC_CONFIGMAP_NAME=382d75c6cb2081fb4562a00b91855adc-attempt
      FC_CONFIGMAP_UID=dce0b84c-882c-3303-8418-371a8da86fdf
      FC_TASKROLE_NAME=My_Worker
      FC_TASKROLE_UID=f0fd5ae4-d679-366f-8cfc-33e8217b9818
      FC_TASK_INDEX=1
      FC_TASK_UID=54d6d88a-2377-36f1-801a-7301fcf71bc1
      FC_TASK_ATTEMPT_ID=0
      FC_TASK_ATTEMPT_INSTANCE_UID=0_3cf4b494-35e2-34f8-8924-a713333a073f
      FC_POD_NAME=382d75c6cb2081fb4562a00b91855adc-my_worker-1
      FC_POD_UID=3cf4b494-35e2-34f8-8924-a713333a073f
      """;

  @TempDir Path directory;
  private final ObjectMapper json = new ObjectMapper();

  private static Job job(JobSpec spec) {
    JobStatus status =
        new JobStatus(
            2,
            JobState.PREPARING,
            2,
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            new RetryState(
                RetryRule.Past.NONE, AttemptCause.FIRST, Optional.empty(), Duration.ZERO));
    return new Job(
        ID,
        "u1",
        "alice",
        spec.name(),
        spec.format(),
        spec.image(),
        spec.virtualCluster(),
        1,
        DataSize.ZERO,
        0,
        spec.taskCount(),
        spec.roles().size(),
        "",
        Instant.EPOCH,
        status);
  }

  private static JobSpec parse(String text) {
    return JobFiles.parse(text).spec().orElseThrow();
  }

  /** Returns tasks with placements and with ports like the choices of {@link PortAllocator}. */
  private static List<Task> tasks(JobSpec spec) {
    List<Task> tasks = new ArrayList<>();
    for (RoleSpec role : spec.roles()) {
      for (int index = 0; index < role.taskCount(); index++) {
        Map<String, List<Integer>> ports = new LinkedHashMap<>();
        int[] next = {1000 * (tasks.size() + 1)};
        role.ports()
            .forEach(
                port -> {
                  List<Integer> some = new ArrayList<>();
                  for (int i = 0; i < port.count(); i++) {
                    some.add(next[0]++);
                  }
                  ports.put(port.label(), some);
                });
        for (String label : List.of("ssh", "http")) {
          ports.computeIfAbsent(label, _ -> List.of(next[0]++));
        }
        if (Rendezvous.isMaster(spec, role.name(), index)) {
          ports.computeIfAbsent("master", _ -> List.of(next[0]++));
        }
        TaskId id = new TaskId(ID, 2, role.name(), index);
        tasks.add(Task.assigned(id, "box", "process", List.of(), new TaskPorts(ports)));
      }
    }
    return tasks;
  }

  private static TaskStart start(JobSpec spec, int rank) {
    List<Task> tasks = tasks(spec);
    Map<TaskId, String> addresses = new HashMap<>();
    tasks.forEach(task -> addresses.put(task.id(), "127.0.0." + (addresses.size() + 1)));
    return new Peers(spec, tasks.reversed(), addresses).start(tasks.get(rank));
  }

  private static Map<String, String> variables(String text, int rank) {
    JobSpec spec = parse(text);
    User owner = new User("u1", "alice", false, false, 7, Instant.EPOCH);
    TaskSpec task =
        new TaskSpecs(DATA, new LogStore(DATA), DataSize.ofMegabytes(5))
            .of(
                job(spec),
                new JobConfig(text, spec, List.of()),
                owner,
                List.of(),
                UnaryOperator.identity())
            .of(tasks(spec).get(rank).id(), List.of(), List.of());
    Map<String, String> all = new TreeMap<>(task.environment());
    all.putAll(start(spec, rank).environment());
    return all;
  }

  private static Map<String, String> openPai(Map<String, String> variables) {
    return variables.entrySet().stream()
        .filter(one -> one.getKey().startsWith("PAI_") || one.getKey().startsWith("FC_"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Map<String, String> table(String text) {
    return text.lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(line -> line[0], line -> line[1]));
  }

  @Test
  void v1_everyVariable() {
    String expected =
        COMMON.replace("WORKER", "My-Worker")
            + OWN_AND_PEERS
            + PEERS_OF_WORKER
                .replace("ROLE_0", "My-Worker_0")
                .replace("ROLE_1", "My-Worker_1")
                .replace("ROLE_HOST_LIST", "My-Worker_HOST_LIST")
            + PEERS_OF_WORKER
                .replace("ROLE_0", "myworker_0")
                .replace("ROLE_1", "myworker_1")
                .replace("ROLE_HOST_LIST", "myworker_HOST_LIST")
            + ONLY_V1;
    Map<String, String> found = variables(V1, 2);
    assertThat(openPai(found)).containsExactlyInAnyOrderEntriesOf(table(expected));
    assertThat(found).containsEntry("MINE", " x ").doesNotContainKeys("PYTHONPATH", "TF_CONFIG");
  }

  @Test
  void v2_everyVariable() {
    String expected =
        COMMON.replace("WORKER", "My_Worker")
            + OWN_AND_PEERS
            + PEERS_OF_WORKER
                .replace("ROLE_0", "My_Worker_0")
                .replace("ROLE_1", "My_Worker_1")
                .replace("ROLE_HOST_LIST", "My_Worker_HOST_LIST")
            + PEERS_OF_WORKER
                .replace("ROLE_0", "myworker_0")
                .replace("ROLE_1", "myworker_1")
                .replace("ROLE_HOST_LIST", "myworker_HOST_LIST")
            + ONLY_V2;
    Map<String, String> found = variables(V2, 2);
    assertThat(openPai(found)).containsExactlyInAnyOrderEntriesOf(table(expected));
  }

  @Test
  void ranks_inTheOrderOfTheFile() {
    for (int rank = 0; rank < 3; rank++) {
      assertThat(variables(V2, rank))
          .containsEntry("WORLD_SIZE", "3")
          .containsEntry("RANK", String.valueOf(rank))
          .containsEntry("NODE_RANK", String.valueOf(rank))
          .containsEntry("MASTER_ADDR", "127.0.0.1")
          .containsEntry("MASTER_PORT", "1004")
          .containsEntry("MPI_HOSTFILE", "/usr/local/pai/runtime.d/hostfile")
          .doesNotContainKeys("LOCAL_RANK", "TF_CONFIG");
    }
    assertThat(variables(V1, 2)).containsEntry("RANK", "9").containsEntry("NODE_RANK", "2");
  }

  @Test
  void ranks_singleTask_hasNone() {
    String single = V2.replaceFirst("(?s)  My_Worker:.*(?=defaults)", "");
    assertThat(parse(single).taskCount()).isEqualTo(1);
    assertThat(variables(single, 0))
        .doesNotContainKeys(
            "WORLD_SIZE", "RANK", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "MPI_HOSTFILE")
        .doesNotContainKey("TF_CONFIG");
    assertThat(start(parse(single), 0).files()).isEmpty();
  }

  @Test
  void master_portRequestedByLabel() {
    String fileWithMasterPort = V2.replace("ports: {grpc: 2}", "ports: {master: 2}");
    assertThat(variables(fileWithMasterPort, 1))
        .containsEntry("MASTER_PORT", "1000")
        .containsEntry("PAI_PORT_LIST_ps_0_master", "1000,1001");
  }

  @Test
  void hostfile_namesAndSlots() {
    assertThat(start(parse(V2), 1).files().get("runtime.d/hostfile"))
        .isEqualTo("ps-0 slots=1\nmy-worker-0 slots=3\nmy-worker-1 slots=3\n");
    assertThat(start(parse(V1), 1).files().get("runtime.d/hostfile"))
        .isEqualTo("ps-0 slots=1\nMy-Worker-0 slots=3\nMy-Worker-1 slots=3\n");
  }

  @Test
  void tensorFlow_evaluatorIsNotInCluster() throws Exception {
    String text = V2.replace("My_Worker:", "worker:");
    String roles = text.replace("\ndefaults", "\n  evaluator: " + evaluator() + "\ndefaults");
    assertThat(json.readTree(variables(roles, 2).get("TF_CONFIG")))
        .isEqualTo(
            json.readTree(
                """
                {"cluster": {"ps": ["127.0.0.1:1003"],
                             "worker": ["127.0.0.2:2001", "127.0.0.3:3001"]},
                 "task": {"type": "worker", "index": 1}}
                """));
    assertThat(json.readTree(variables(roles, 3).get("TF_CONFIG")).path("task"))
        .isEqualTo(json.readTree("{\"type\": \"evaluator\", \"index\": 0}"));
  }

  private static String evaluator() {
    return "{dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [x]}";
  }

  @Test
  void withoutGang_onlyOwnVariables() {
    String alone = V2 + "extras: {gangAllocation: false}\n";
    Map<String, String> found = variables(alone, 2);
    assertThat(found)
        .containsEntry("PAI_HOST_IP_My_Worker_1", "127.0.0.3")
        .containsEntry("PAI_HOST_IP_myworker_1", "127.0.0.3")
        .containsEntry("PAI_PORT_LIST_My_Worker_1_ssh", "3000")
        .containsEntry("PAI_CURRENT_CONTAINER_IP", "127.0.0.3")
        .containsEntry("PAI_TASK_ROLE_INSTANCES", "ps:0,myworker:0,myworker:1")
        .doesNotContainKeys("WORLD_SIZE", "RANK", "MASTER_ADDR", "MPI_HOSTFILE", "TF_CONFIG");
    assertThat(found.keySet())
        .noneMatch(name -> name.endsWith("_HOST_LIST"))
        .noneMatch(name -> name.matches("PAI_(HOST_IP_|PORT_LIST_)?(ps|My_Worker|myworker)_0.*"));
    TaskStart start = start(parse(alone), 2);
    assertThat(start.hosts()).isEmpty();
    assertThat(start.files()).isEmpty();
  }

  /** Sources the files in a shell like that of a task, and returns the expanded words. */
  private String echoAfterSourcing(Map<String, String> files, String words) throws Exception {
    Path peers = Files.writeString(directory.resolve("peers.tsv"), files.get(Peers.FILE));
    String script = files.get(Peers.SCRIPT).replace("/usr/local/pai/" + Peers.FILE, "" + peers);
    Path file = Files.writeString(directory.resolve("peers.sh"), script);
    Process shell =
        new ProcessBuilder("sh", "-c", ". " + file + "; echo \"" + words + "\"")
            .redirectErrorStream(true)
            .start();
    return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String withRole(String text, String name) {
    return text.replace("\ndefaults", "\n  " + name + ": " + evaluator() + "\ndefaults");
  }

  /**
   * A name belongs to the role that is written that way, or else to the first role that yields it.
   */
  @Test
  void normalisedName_ofSeveralRoles() throws Exception {
    String really = withRole(withRole(V2, "myworker"), "Myworker");
    assertThat(variables(really, 0))
        .containsEntry("PAI_HOST_IP_My_Worker_0", "127.0.0.2")
        .containsEntry("PAI_HOST_IP_myworker_0", "127.0.0.4")
        .containsEntry("PAI_HOST_IP_Myworker_0", "127.0.0.5")
        .containsEntry("PAI_TASK_ROLE_myworker_HOST_LIST", "127.0.0.4:4001")
        .doesNotContainKey("PAI_HOST_IP_myworker_1");
    String first = withRole(V2, "Myworker");
    assertThat(variables(first, 0))
        .containsEntry("PAI_HOST_IP_myworker_0", "127.0.0.2")
        .containsEntry("PAI_TASK_ROLE_myworker_HOST_LIST", "127.0.0.2:2001,127.0.0.3:3001");

    String words = "$PAI_HOST_IP_myworker_0 $PAI_HOST_IP_myworker_1 $PAI_HOST_IP_Myworker_0";
    Map<String, String> files =
        start(parse(really.replace("instances: 2", "instances: 1000")), 0).files();
    assertThat(echoAfterSourcing(files, words + " $PAI_TASK_ROLE_myworker_HOST_LIST"))
        .isEqualTo("127.0.0.1002  127.0.0.1003 127.0.0.1002:1002001\n");
    files = start(parse(first.replace("instances: 2", "instances: 1000")), 0).files();
    assertThat(echoAfterSourcing(files, words)).isEqualTo("127.0.0.2 127.0.0.3 127.0.0.1002\n");
  }

  @Test
  void manyTasks_useFiles() throws Exception {
    String many = V2.replace("instances: 2", "instances: 1000");
    TaskStart start = start(parse(many), 1000);
    assertThat(start.environment())
        .containsEntry("RANK", "1000")
        .containsEntry("MASTER_PORT", "1004")
        .doesNotContainKeys("PAI_HOST_IP_ps_0", "PAI_TASK_ROLE_INSTANCES");
    assertThat(start.files())
        .containsOnlyKeys("runtime.d/peers.tsv", "runtime.d/peers.sh", "runtime.d/hostfile");
    assertThat(start.files().get("runtime.d/peers.tsv"))
        .startsWith("ps\t0\t127.0.0.1\tgrpc=1000,1001\tssh=1002\thttp=1003\nMy_Worker\t0\t")
        .hasLineCount(1001);
    assertThat(echoAfterSourcing(start.files(), "$PAI_ps_0_grpc_PORT $PAI_HOST_IP_myworker_999"))
        .isEqualTo("1000,1001 127.0.0.1001\n");
    assertThat(echoAfterSourcing(start.files(), "$PAI_TASK_ROLE_My_Worker_HOST_LIST"))
        .startsWith("127.0.0.2:2001,127.0.0.3:3001,")
        .endsWith(",127.0.0.1001:1001001\n");
    assertThat(echoAfterSourcing(start.files(), "$PAI_TASK_ROLE_INSTANCES"))
        .startsWith("ps:0,myworker:0,")
        .endsWith(",myworker:999\n");
    assertThat(Peers.notices(parse(many))).hasSize(1);
    assertThat(Peers.notices(parse(many + "extras: {gangAllocation: false}"))).isEmpty();
    assertThat(Peers.notices(parse(V2))).isEmpty();
  }
}
