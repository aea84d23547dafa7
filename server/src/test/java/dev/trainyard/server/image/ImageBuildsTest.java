package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobWorld;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.TestSecrets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a build whose steps went well. */
@EveryDatabase
class ImageBuildsTest {
  private static final TaskEnd GOOD = new TaskEnd(0, ExitReason.SUCCEEDED, "", Instant.EPOCH);

  private final JobWorld world;
  private final Db db;
  private final MemoryImages images = new MemoryImages();
  private final MachineImages machine;
  private final ImageBuilds builds;

  ImageBuildsTest(Db db) {
    this.db = db;
    this.world = new JobWorld(db);
    Audit audit = new Audit(world.clock);
    machine = new MachineImages(db, world.clock);
    LocalImages local =
        new LocalImages(
            db,
            images,
            new ImagePulls(images),
            new Catalogue(db, audit, world.clock),
            machine,
            new RegistryLogins(db, new LoginSecrets(TestSecrets.create()), audit, world.clock),
            new Registries(db, audit),
            audit);
    builds = new ImageBuilds(db, images, local, world.data.resolve("builds"));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private TaskEnd finish(ImageReference reference, boolean admin) {
    ImageBuild build =
        new ImageBuild(reference, false, admin, "FROM x\nUSER 7\n", Map.of(), "context");
    String file =
        """
        {"jobName": "build", "image": "x",
         "taskRoles": [{"name": "build", "taskNumber": 1, "command": "FROM x"}]}
        """;
    Job job =
        world
            .service()
            .submit(
                JobWorld.ALICE,
                file,
                true,
                spec -> spec.withExtras(spec.extras().ofImageBuild()),
                build::insert)
            .job();
    return builds.finish(job, new TaskId(job.id(), 1, "build", 0), GOOD);
  }

  @Test
  void finish_administratorNoMore_mayNotTakeTheName() {
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
  void finish_noRoom_isSaidAndLeavesNothing() {
    ImageReference mine = ImageReference.of("alice/mine:1");
    images.failMaking(
        new ImageException(
            ImageException.Kind.NO_ROOM, "write /layer.tar: no space left on device"));
    TaskEnd end = finish(mine, false);
    assertThat(end.succeeded()).isFalse();
    assertThat(end.detail()).contains("there is no room on the disk for the image alice/mine:1");
    assertThat(images.list()).isEmpty();
    assertThat(machine.find(mine)).isEmpty();

    images.work();
    assertThat(finish(mine, false)).isEqualTo(GOOD);
    LocalImage first = images.find(mine).orElseThrow();
    images.failMaking(new ImageException(ImageException.Kind.NO_ROOM, "no space left on device"));
    assertThat(finish(mine, false).succeeded()).isFalse();
    assertThat(images.find(mine)).as("the one before stays").contains(first);
    assertThat(machine.look("u1", false, mine, Optional.of(first)).usable()).isTrue();
  }
}
