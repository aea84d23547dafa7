package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.TestSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Results of builds whose steps succeeded. */
@EveryDatabase
class ImageBuildsTest {
  private static final TaskEnd GOOD = new TaskEnd(0, ExitReason.SUCCEEDED, "", Instant.EPOCH);

  private final JobFixture fixture;
  private final Db db;
  private final MemoryImages images = new MemoryImages();
  private final NodeImageService machine;
  private final LocalImages local;
  private final ImageBuilds builds;

  ImageBuildsTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
    Audit audit = new Audit(fixture.clock);
    machine = new NodeImageService(db, fixture.clock);
    LocalImages local =
        new LocalImages(
            db,
            images,
            new ImagePulls(images),
            new Catalog(db, audit, fixture.clock),
            machine,
            new RegistryLogins(db, new LoginSecrets(TestSecrets.create()), audit, fixture.clock),
            new RegistryService(db, audit),
            audit);
    this.local = local;
    builds = builds(new ContextBudget(4, 10, 1_000));
  }

  private ImageBuilds builds(ContextBudget budget) {
    return new ImageBuilds(db, images, local, fixture.data.resolve("builds"), budget);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private TaskEnd finish(ImageReference reference, boolean admin) {
    Job job = submit(reference, admin, "context");
    return builds.finish(job, new TaskId(job.id(), 1, "build", 0), GOOD);
  }

  private Job submit(ImageReference reference, boolean admin, String directory) {
    ImageBuild build =
        new ImageBuild(reference, false, admin, "FROM x\nUSER 7\n", Map.of(), directory);
    String file =
        """
        {"jobName": "build", "image": "x",
         "taskRoles": [{"name": "build", "taskNumber": 1, "command": "FROM x"}]}
        """;
    return fixture
        .service()
        .submit(
            JobFixture.ALICE,
            file,
            true,
            spec -> spec.withExtras(spec.extras().asImageBuild()),
            (handle, job) -> ImageBuildStore.insert(handle, job, build))
        .job();
  }

  /** Uploads a context of some empty files; returns the error of the budget, if any. */
  private Optional<ErrorCode> upload(ImageBuilds to, String directory, int files)
      throws IOException {
    boolean kept = false;
    try (ContextBudget.Upload upload = to.begin("u1", directory)) {
      Path root = to.create(directory);
      for (int i = 0; i < files; i++) {
        upload.reserve(1, 0);
        Files.createFile(root.resolve("file" + i));
      }
      kept = true;
      return Optional.empty();
    } catch (AppException e) {
      return Optional.of(e.code());
    } finally {
      to.end(directory, kept);
    }
  }

  /** Also covers a restart, after which the contexts have to be measured. */
  @Test
  void begin_contextsOfUnfinishedBuilds_countUntilTheBuildHasFinished() throws Exception {
    assertThat(upload(builds, "first", 8)).isEmpty();
    Job job = submit(ImageReference.of("alice/first:1"), false, "first");
    ImageBuilds restarted = builds(new ContextBudget(4, 10, 1_000));
    for (ImageBuilds any : List.of(builds, restarted)) {
      assertThat(upload(any, "second", 3)).contains(ErrorCode.CONFLICT);
      assertThat(fixture.data.resolve("builds/second")).doesNotExist();
      assertThat(fixture.data.resolve("builds/first/file7")).exists();
    }

    db.write(
        handle ->
            handle.execute("update job set state = 'STOPPED' where id = ?", job.id().value()));
    assertThat(upload(restarted, "second", 10)).isEmpty();
    assertThat(fixture.data.resolve("builds/first")).doesNotExist();
  }

  @Test
  void finish_ownerNoLongerAdministrator_nameRejected() {
    ImageReference official = ImageReference.of("ubuntu:16.04");
    db.write(
        handle ->
            handle.execute(
                "insert into users (id, name, name_key, password, admin, disabled, id_range,"
                    + " created) values ('u1', 'alice', 'alice', '', 1, 0, 7, 0)"));
    assertThat(finish(official, true)).isEqualTo(GOOD);
    LocalImage first = images.find(official).orElseThrow();

    db.write(handle -> handle.execute("update users set admin = 0"));
    TaskEnd end = finish(official, true);

    assertThat(end.reason()).isEqualTo(ExitReason.COMMAND_FAILED);
    assertThat(end.detail()).contains("ubuntu:16.04");
    assertThat(images.find(official)).contains(first);
    assertThat(machine.find(official).orElseThrow().imageId()).isEqualTo(first.id());
  }

  @Test
  void finish_diskFull_reportedAndCleanedUp() {
    ImageReference mine = ImageReference.of("alice/mine:1");
    images.failCommits(
        new ImageException(
            ImageException.Kind.DISK_FULL, "write /layer.tar: no space left on device"));
    TaskEnd end = finish(mine, false);
    assertThat(end.succeeded()).isFalse();
    assertThat(end.detail()).contains("not enough disk space for the image alice/mine:1");
    assertThat(images.list()).isEmpty();
    assertThat(machine.find(mine)).isEmpty();

    images.stopFailing();
    assertThat(finish(mine, false)).isEqualTo(GOOD);
    LocalImage first = images.find(mine).orElseThrow();
    images.failCommits(
        new ImageException(ImageException.Kind.DISK_FULL, "no space left on device"));
    assertThat(finish(mine, false).succeeded()).isFalse();
    assertThat(images.find(mine)).as("the earlier image stays").contains(first);
    assertThat(machine.checkAccess("u1", false, mine, Optional.of(first)).usable()).isTrue();
  }
}
