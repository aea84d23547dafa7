package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskPath;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.RetryState;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskSpecsTest {
  private static final JobId ID = new JobId("01HF7YAT00JFVCAVDN9Q91WCGD");
  private static final Path DATA = Path.of("/data");
  private static final String JOB_FILES = "/data/jobs/" + ID;

  private static TaskSpec specOf(String text, String user) {
    JobSpec spec = JobFiles.parse(text).spec().orElseThrow();
    JobStatus status =
        new JobStatus(
            2,
            JobState.PREPARING,
            1,
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            new RetryState(
                RetryRule.Past.NONE, AttemptCause.FIRST, Optional.empty(), Duration.ZERO));
    Job job =
        new Job(
            ID,
            "u1",
            user,
            spec.name(),
            JobFormat.OPENPAI_V1,
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
    return new TaskSpecs(DATA, new LogStore(DATA), DataSize.ofMegabytes(5))
        .of(
            job,
            new JobConfig(text, spec, List.of()),
            new User("u1", user, false, false, 7, Instant.EPOCH),
            List.of(),
            UnaryOperator.identity())
        .of(new TaskId(ID, 1, spec.roles().getFirst().name(), 0), List.of(20_000), List.of());
  }

  @Test
  void of_storages_areDirectoriesOfTheOwner() {
    String file =
        """
        protocolVersion: 2
        name: a
        type: job
        prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
        taskRoles:
          w: {dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}, commands: [a]}
        extras: {storages: [{name: nfs}, {name: b, mountPath: /data}]}
        """;
    TaskSpec spec = specOf(file, "alice");
    assertThat(spec.volumes())
        .contains(
            new Volume(Path.of("/data/storages/users/alice/nfs"), "/mnt/nfs", Volume.Access.OWNED),
            new Volume(Path.of("/data/storages/users/alice/b"), "/data", Volume.Access.OWNED));
    assertThat(spec.files()).containsOnlyKeys("runtime.d/job_config.yaml");
  }

  private static TaskSpec specOf(String extraFields) {
    return specOf(JobFileText.of("hello", "main", 2, 3, 1, extraFields), "alice");
  }

  @Test
  void of_requestedResources() {
    TaskSpec task = specOf("");
    assertThat(task.script()).isEqualTo("echo hello");
    assertThat(task.user()).isEqualTo("alice");
    assertThat(task.idRange()).isEqualTo(7);
    assertThat(task.hostName()).isEqualTo("main-0");
    assertThat(task.workingDirectory()).isEqualTo("/userhome");
    assertThat(task.logDirectory()).isEqualTo(Path.of("/data/logs/" + ID + "/1/main/0"));
    assertThat(task.files()).containsKey("runtime.d/job_config.json");
    assertThat(task.volumes())
        .containsExactly(
            new Volume(Path.of("/data/home/alice"), "/userhome", Volume.Access.OWNED),
            new Volume(Path.of("/data/gdata"), "/gdata", Volume.Access.READ_ONLY),
            new Volume(Path.of("/data/gshare"), "/gshare", Volume.Access.SHARED),
            new Volume(Path.of(JOB_FILES + "/output"), "/joboutput", Volume.Access.OWNED));
  }

  @Test
  void of_variables() {
    assertThat(specOf("\"virtualCluster\": \"vc\",").environment())
        .doesNotContainKeys("HOME", "USER", "LANG", "PATH") // set by the image
        .containsEntry("PYTHONUNBUFFERED", "1")
        .containsEntry("PAI_JOB_NAME", "hello")
        .containsEntry("PAI_USER_NAME", "alice")
        .containsEntry("PAI_USERNAME", "alice")
        .containsEntry("PAI_DEFAULT_FS_URI", "")
        .containsEntry("PAI_TASK_ROLE_COUNT", "1")
        .containsEntry("PAI_TASK_ROLE_LIST", "main")
        .containsEntry("PAI_TASK_ROLE_NAME", "main")
        .containsEntry("PAI_TASK_ROLE_NUM", "2")
        .containsEntry("PAI_TASK_ROLE_INDEX", "0")
        .containsEntry("PAI_TASKS_NUM", "2")
        .containsEntry("PAI_TASK_CPU_NUM", "3")
        .containsEntry("PAI_TASK_MEM_MB", "512")
        .containsEntry("PAI_TASK_GPU_NUM", "1")
        .containsEntry("PAI_RESOURCE_main", "1,3,512,64")
        .containsEntry("PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", "0")
        .containsEntry("PAI_CURRENT_TASK_ROLE_SHM_MB", "64")
        .containsEntry("PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT", "1")
        .containsEntry("PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT", "")
        .containsEntry("PAI_VIRTUAL_CLUSTER", "vc");
  }

  @Test
  void of_variablesOfFileTakePrecedence() {
    assertThat(specOf("\"jobEnvs\": {\"PYTHONUNBUFFERED\": \"0\", \"MY\": \" x \"},").environment())
        .containsEntry("PYTHONUNBUFFERED", "0")
        .containsEntry("MY", " x ");
  }

  @Test
  void of_directoriesOutsideHome() {
    TaskSpec task = specOf("\"dataDir\": \"/tmp/data\", \"outputDir\": \"/tmp/$PAI_JOB_NAME\",");
    assertThat(task.environment())
        .containsEntry("PAI_DATA_DIR", "/tmp/data")
        .containsEntry("PAI_OUTPUT_DIR", "/tmp/hello");
    assertThat(task.volumes())
        .contains(
            new Volume(Path.of(JOB_FILES + "/output"), "/tmp/hello", Volume.Access.OWNED),
            new Volume(Path.of(JOB_FILES + "/data"), "/tmp/data", Volume.Access.OWNED));
  }

  private static TaskSpec specOfOutput(String prerequisite) {
    String file =
        """
        protocolVersion: 2
        name: a
        type: job
        prerequisites: [{name: i, type: dockerimage, uri: ubuntu}, {name: o, type: output%s}]
        taskRoles:
          w:
            dockerImage: i
            output: o
            resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
            commands: [train --out <% $output.uri %>]
        """;
    return specOf(file.replace("%s", prerequisite), "alice");
  }

  @Test
  void of_outputOfV2_isSavedWithTheJob() {
    TaskSpec withoutUri = specOfOutput("");
    assertThat(withoutUri.environment()).containsEntry("PAI_OUTPUT_DIR", "/joboutput");
    assertThat(withoutUri.script()).endsWith("train --out /joboutput");
    assertThat(withoutUri.volumes())
        .contains(new Volume(Path.of(JOB_FILES + "/output"), "/joboutput", Volume.Access.OWNED));
    TaskSpec withUri = specOfOutput(", uri: /work/$PAI_JOB_NAME");
    assertThat(withUri.environment()).containsEntry("PAI_OUTPUT_DIR", "/work/alice~a");
    assertThat(withUri.volumes())
        .contains(new Volume(Path.of(JOB_FILES + "/output"), "/work/alice~a", Volume.Access.OWNED))
        .hasSize(4);
  }

  @Test
  void of_outputOfV2BelowHome_isCreatedByTheTask() {
    TaskSpec task = specOfOutput(", uri: /userhome/out");
    assertThat(task.environment()).containsEntry("PAI_OUTPUT_DIR", "/userhome/out");
    assertThat(task.volumes()).hasSize(3);
    assertThat(task.files().get("runtime.d/precommands.sh"))
        .isEqualTo("mkdir -p -- '/userhome/out'\n");
  }

  @Test
  void of_sameDirectoryTwice() {
    TaskSpec task = specOf("\"dataDir\": \"/work/\", \"outputDir\": \"//work\",");
    assertThat(task.volumes()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "/userhome/out, false",
    "/userhome, false",
    "//userhome/./x, false",
    "/gdata/mnist, false",
    "/usr/bin, false",
    "/etc, false",
    "/, false",
    "/mnt, false",
    "hdfs://x/y, false",
    "relative, false",
    "/mnt/data, true",
    "/tmp/data, true",
    "/output, true",
    "/usr2, true",
  })
  void needsVolume_nonexistentPaths(String path, boolean expected) {
    assertThat(TaskPath.needsVolume(path)).isEqualTo(expected);
  }

  @Test
  void of_userNameInvalidAsDirectory() {
    String text = JobFileText.named("hello");
    for (String name : List.of("..", ".", "a/b")) {
      assertThatThrownBy(() -> specOf(text, name)).isInstanceOf(EngineException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/tmp/a/d/sbin, /tmp/a, /tmp/a",
    "/tmp/a, /tmp/a/d, /tmp/a",
    "/tmp/a/, /tmp/./a, /tmp/a/",
  })
  void of_directoryInsideTheOther_oneVolumeForBoth(String data, String output, String target) {
    var directories = new TaskDirectories(data, output, "");
    User owner = new User("u", "alice", false, false, 1, Instant.EPOCH);
    List<Volume> volumes =
        new TaskVolumes(new StorageDirectories(Path.of("/d"))).of(ID, owner, directories);
    assertThat(volumes.stream().map(Volume::target))
        .containsExactly("/userhome", "/gdata", "/gshare", target);
    assertThat(volumes.getLast().source().toString()).endsWith("/output");
    assertThat(TaskVolumes.preparation(directories)).contains("mkdir -p -- '");
  }

  @Test
  void preparation_onlyBelowExistingDirectories() {
    assertThat(TaskVolumes.preparation(new TaskDirectories("/tmp/data", "/userhome/it's", "")))
        .isEqualTo("mkdir -p -- '/userhome/it'\\''s'\n");
    assertThat(TaskVolumes.preparation(new TaskDirectories("hdfs://x/y", "", ""))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"main, main-3", "My.Role~x, my-role-x-3", "..., task-3", "_a_, a-3"})
  void hostName_onlyValidCharacters(String role, String expected) {
    assertThat(HostNames.of(new TaskId(ID, 1, role, 3))).isEqualTo(expected);
  }

  @Test
  void hostName_notTooLong() {
    assertThat(HostNames.of(new TaskId(ID, 1, "r".repeat(128), 9_999))).hasSize(63);
  }
}
