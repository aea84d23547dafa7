package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.image.Images;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.TestSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Images are pulled before resources are allocated to the tasks of a job. */
@EveryDatabase
class JobImagesTest {
  private static final String UBUNTU = "docker.io/library/ubuntu:16.04";
  private static final RegistryLogin LOGIN = new RegistryLogin("robot", "secret");

  private final JobFixture fixture;
  private final Db db;
  private final MemoryImages store = new MemoryImages();
  private Images images;

  JobImagesTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
    createPipeline("if-not-present");
  }

  private void createPipeline(String policy) {
    fixture.engine.useImages(store);
    images =
        new Images(
            fixture.engine,
            db,
            fixture.data,
            SettingsReader.read(Map.of("image-pull", policy), Map.of()),
            new LoginSecrets(TestSecrets.create()),
            fixture.store,
            fixture.clock);
    fixture.images = images.provisioner();
    fixture.restart();
  }

  @AfterEach
  void close() {
    images.close();
    fixture.close();
  }

  private static String job(String name, String image) {
    return JobFileText.named(name).replace("ubuntu:16.04", image);
  }

  private String reason(Job job) {
    return fixture.await(job, JobState.FAILED).status().reason().orElseThrow().english();
  }

  @Test
  void submit_missingImage_pulledFirst() {
    store.offer("ubuntu:16.04");
    fixture.started();

    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);

    assertThat(store.pulled()).containsExactly(UBUNTU);
    assertThat(fixture.engine.spec(fixture.task(job, 0)).image()).isEqualTo(UBUNTU);
    assertThat(fixture.eventTypes(job)).contains("PULLING 1");
  }

  @Test
  void submit_presentImage_notPulled() {
    store.add("ubuntu:16.04", Instant.EPOCH);
    fixture.started();

    fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);

    assertThat(store.pulled()).isEmpty();
  }

  @Test
  void submit_shortNameOfACreatedImage_runsTheApprovedOne() {
    String approved = store.add("alice/mine:1", Instant.EPOCH).id();
    db.write(
        handle ->
            handle.execute(
                "insert into catalogue_image (name, reference, description, framework, tags, state,"
                    + " proposer_id, proposer, note, image_id, fixed, changed) values ('mine',"
                    + " 'docker.io/alice/mine:1', '', '', '[]', 'APPROVED', 'u', 'u', '', ?, 1, 0)",
                approved));
    store.add("alice/mine:1", Instant.EPOCH);
    fixture.started();

    Job job = fixture.await(fixture.submit(job("a", "mine")), JobState.RUNNING);
    assertThat(fixture.engine.spec(fixture.task(job, 0)).image()).isEqualTo(approved);

    db.write(handle -> handle.execute("update catalogue_image set image_id = ?", "sha256:gone"));
    store.offer("alice/mine:1");
    assertThat(reason(fixture.submit(job("b", "mine"))))
        .contains("approved as mine is no longer on the node");
    assertThat(store.pulled()).isEmpty();
  }

  @Test
  void submit_alwaysPull_pullsPresentImage() {
    createPipeline("always");
    store.add("ubuntu:16.04", Instant.EPOCH);
    store.offer("ubuntu:16.04");
    fixture.started();

    fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);

    assertThat(store.pulled()).containsExactly(UBUNTU);
  }

  @Test
  void submit_neverPull_rejectsMissingImage() {
    createPipeline("never");
    store.offer("ubuntu:16.04");
    fixture.started();

    assertThat(reason(fixture.submit(JobFileText.named("a")))).contains("image-pull is never");
    assertThat(store.pulled()).isEmpty();
  }

  @Test
  void submit_twoJobs_shareOnePullAndReportProgress() {
    store.offer("ubuntu:16.04");
    store.blockPulls();
    fixture.started();
    Job first = fixture.submit(JobFileText.named("a"));
    Job second = fixture.submit(JobFileText.named("b"));
    fixture.awaitWaitReason(first, "50 %");
    fixture.awaitWaitReason(second, "50 %");

    store.resumePulls();

    fixture.await(first, JobState.RUNNING);
    fixture.await(second, JobState.RUNNING);
    assertThat(store.pulled()).containsExactly(UBUNTU);
    assertThat(fixture.service().reasons(List.of(fixture.job(first))).getFirst()).isEmpty();
  }

  @Test
  void stop_whilePulling_endsImmediatelyAndCancelsThePull() {
    store.offer("ubuntu:16.04");
    store.blockPulls();
    fixture.started();
    Job job = fixture.submit(JobFileText.named("a"));
    fixture.awaitWaitReason(job, "50 %");

    fixture.service().stop(JobFixture.ALICE, fixture.job(job));

    fixture.await(job, JobState.STOPPED);
    JobFixture.eventually(() -> store.canceledPulls().contains(UBUNTU), "the pull to be canceled");
    assertThat(fixture.engine.reserved()).isEmpty();
  }

  @Test
  void submit_unknownImage_failsPermanentlyWithRemedy() {
    fixture.started();

    assertThat(reason(fixture.submit(JobFileText.named("a"))))
        .contains("image ubuntu:16.04 not found", "trainyard registry login docker.io");
  }

  @Test
  void submit_rejectedLogin_failsPermanently() {
    store.offer("10.0.0.9:5000/a:1", LOGIN);
    fixture.started();

    assertThat(reason(fixture.submit(job("a", "10.0.0.9:5000/a:1")))).contains("requires a login");
  }

  @Test
  void submit_unreachableRegistry_retried() {
    store.fail(new ImageException(Kind.UNREACHABLE, "connection refused"));
    fixture.started();
    Job job = fixture.submit(JobFileText.named("a"));
    JobFixture.eventually(() -> fixture.eventTypes(job).contains("RETRYING 1"), "another attempt");

    store.stopFailing();
    store.offer("ubuntu:16.04");
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofMinutes(10));
          return fixture.job(job).state() == JobState.RUNNING;
        },
        "the job to run");
  }

  @Test
  void backOff_unreachableRegistry_namesTheCauseInBothLanguages() {
    store.fail(new ImageException(Kind.UNREACHABLE, "connection refused"));
    fixture.started();
    Job job = fixture.submit(JobFileText.named("a"));

    fixture.awaitWaitReason(job, "attempt 3 failed; the next one starts in 10 seconds; cause: ");
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.awaitWaitReason(job, "failed to reach the registry docker.io");
    Message reason = fixture.service().reasons(List.of(fixture.job(job))).getFirst().orElseThrow();
    assertThat(Messages.CHINESE.text(reason))
        .contains("启动失败：拉取镜像 ubuntu:16.04 时无法连接镜像仓库 docker.io")
        .doesNotContain("failed");
    AttemptEnd end = fixture.service().attempt(job, 3).attempt().end().orElseThrow();
    assertThat(Messages.CHINESE.text(end.reason().orElseThrow())).doesNotContain("failed");
    assertThat(end.diagnosis().orElseThrow().diagnosis().exit())
        .isEqualTo(Exit.REGISTRY_UNREACHABLE);
  }

  @Test
  void submit_authFile_logsIn() throws IOException {
    store.offer("10.0.0.9:5000/a:1", LOGIN);
    Path home = Files.createDirectories(fixture.data.resolve("home/alice"));
    Files.writeString(home.resolve("auth"), "10.0.0.9:5000\nrobot\nsecret\n");
    fixture.started();

    fixture.await(
        fixture.submit(
            job("a", "10.0.0.9:5000/a:1")
                .replace("\"jobName\"", "\"authFile\": \"/userhome/auth\", \"jobName\"")),
        JobState.RUNNING);
  }

  @Test
  void submit_authWithSecret_sentOnlyToItsRegistry() {
    store.offer("10.0.0.9:5000/a:1", LOGIN);
    String file =
        """
        protocolVersion: 2
        name: v2
        type: job
        secrets: {key: secret}
        prerequisites:
          - {name: i, type: dockerimage, uri: "10.0.0.9:5000/a:1",
             auth: {username: robot, password: <%% $secrets.key %%>, registryuri: "http://%s"}}
        taskRoles:
          main:
            instances: 1
            dockerImage: i
            resourcePerInstance: {cpu: 1, memoryMB: 256, gpu: 0}
            commands: [echo hello]
        """;
    fixture.started();

    fixture.await(fixture.submit(file.formatted("10.0.0.9:5000")), JobState.RUNNING);
    Job other =
        fixture.submit(
            file.formatted("elsewhere:5000")
                .replace("name: v2", "name: other")
                .replace("a:1", "b:1"));
    assertThat(reason(other)).contains("image 10.0.0.9:5000/b:1 not found");
  }
}
