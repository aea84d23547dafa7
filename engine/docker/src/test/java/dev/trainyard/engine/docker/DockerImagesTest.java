package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.DockerClient;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.PullProgress;
import dev.trainyard.engine.RegistryAccess;
import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests against a real engine and real registries. */
class DockerImagesTest {
  private static final RegistryLogin ALICE = new RegistryLogin("alice", "secret");
  private static final RegistryAccess AS_ALICE = new RegistryAccess(Optional.of(ALICE), false);
  private static final RegistryAccess ANONYMOUS_ACCESS = RegistryAccess.ANONYMOUS;
  private static final TaskId TASK =
      new TaskId(new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "main", 0);

  /** A prefix that no other images use. */
  private final String repository = "imgtest-" + UUID.randomUUID().toString().substring(0, 8);

  private final List<ImageReference> created = new ArrayList<>();
  @TempDir Path directory;
  private DockerConnection connection;
  private DockerClient client;
  private DockerImages images;
  private TestRegistry registry;
  private Optional<String> container = Optional.empty();

  @BeforeEach
  void open() {
    TestRegistry.requireDocker();
    connection = DockerConnection.open(TestImages.SOCKET);
    client = connection.client();
    images = new DockerImages(connection, _ -> container);
  }

  @AfterEach
  void close() {
    if (connection != null) {
      container.ifPresent(id -> client.removeContainerCmd(id).withForce(true).exec());
      for (ImageReference reference : created) {
        if (images.find(reference).isPresent()) {
          client.removeImageCmd(reference.toString()).withForce(true).exec();
        }
      }
      connection.close();
    }
    if (registry != null) {
      registry.close();
    }
  }

  private TestRegistry registry(boolean withLogin) {
    registry = TestRegistry.start(directory, withLogin);
    return registry;
  }

  private ImageReference named(String name) {
    ImageReference reference = ImageReference.of(name);
    created.add(reference);
    return reference;
  }

  /** Imports an image with one small file and no program. */
  private ImageReference imported(String name) {
    ImageReference reference = named(name);
    TestRegistry.importImage(reference.toString(), repository);
    return reference;
  }

  private static void assertKind(Kind kind, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ImageException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }

  @Test
  void pull_pushedImage_comesBackWithProgress() {
    ImageReference reference = imported(registry(false).local() + "/" + repository + "/a:1");
    String id = images.find(reference).orElseThrow().id();
    List<PullProgress> sent = new ArrayList<>();
    images.push(reference, ANONYMOUS_ACCESS, sent::add);
    images.remove(reference);
    assertThat(images.find(reference)).isEmpty();

    List<PullProgress> got = new ArrayList<>();
    LocalImage pulled = images.pull(reference, ANONYMOUS_ACCESS, got::add);

    assertThat(pulled.id()).isEqualTo(id);
    assertThat(pulled.architecture()).isNotEmpty();
    assertThat(sent.getLast().percent()).isEqualTo(100);
    assertThat(got.getLast().percent()).isEqualTo(100);
    assertThat(got.getLast().total()).isPositive();
    assertThat(images.list()).extracting(LocalImage::id).contains(id);
  }

  @Test
  void pull_plainHttpElsewhere_goesThroughTheRelay() {
    registry(false);
    ImageReference reference = imported(registry.outside() + "/" + repository + "/lan:1");
    RegistryAccess plain = new RegistryAccess(Optional.empty(), true);
    String id = images.find(reference).orElseThrow().id();
    assertKind(Kind.UNREACHABLE, () -> images.push(reference, ANONYMOUS_ACCESS, _ -> {}));
    images.push(reference, plain, _ -> {});
    images.remove(reference);

    assertThat(images.pull(reference, plain, _ -> {}).id()).isEqualTo(id);

    assertThat(images.find(reference).orElseThrow().references())
        .as("no trace of the relay")
        .containsExactly(reference.toString());
  }

  @Test
  void pull_failures_areClassified() {
    String host = registry(true).local();
    ImageReference unknown = ImageReference.of(host + "/" + repository + "/none:1");
    RegistryAccess wrong =
        new RegistryAccess(Optional.of(new RegistryLogin("alice", "wrong")), false);

    assertKind(Kind.UNKNOWN_IMAGE, () -> images.pull(unknown, AS_ALICE, _ -> {}));
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(unknown, wrong, _ -> {}));
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(unknown, ANONYMOUS_ACCESS, _ -> {}));
    registry.close();
    assertKind(Kind.UNREACHABLE, () -> images.pull(unknown, AS_ALICE, _ -> {}));
    RegistryAccess plain = new RegistryAccess(Optional.empty(), true);
    assertKind(Kind.UNREACHABLE, () -> images.pull(unknown.at(registry.outside()), plain, _ -> {}));
    ImageReference bad = new ImageReference(host, "Not/Lower", "1", "");
    assertKind(Kind.BAD_NAME, () -> images.pull(bad, AS_ALICE, _ -> {}));
  }

  @Test
  void push_registryWithLogin_requiresIt() {
    ImageReference reference = imported(registry(true).local() + "/" + repository + "/p:1");

    assertKind(Kind.LOGIN_REFUSED, () -> images.push(reference, ANONYMOUS_ACCESS, _ -> {}));
    images.push(reference, AS_ALICE, _ -> {});
    images.remove(reference);
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(reference, ANONYMOUS_ACCESS, _ -> {}));
    assertThat(images.pull(reference, AS_ALICE, _ -> {}).references())
        .contains(reference.toString());
  }

  @Test
  void remove_inUse_isRejected() {
    ImageReference reference = imported(repository + "/used:1");
    ImageReference other = named(repository + "/used:2");
    images.tag(reference, other);
    run(reference);

    assertThat(images.usedIds()).contains(images.find(reference).orElseThrow().id());
    assertKind(Kind.IN_USE, () -> images.remove(reference));
    assertKind(Kind.IN_USE, () -> images.remove(other));
    assertKind(Kind.UNKNOWN_IMAGE, () -> images.remove(ImageReference.of(repository + "/none")));
  }

  private void run(ImageReference reference) {
    container =
        Optional.of(
            client
                .createContainerCmd(reference.toString())
                .withEntrypoint("/ours")
                .withCmd("theirs")
                .withEnv("PAI_TOKEN=hush", "HOME=/h")
                .withLabels(Map.of("trainyard.test", repository))
                .exec()
                .getId());
  }

  @Test
  void commit_task_hasOnlyItsFiles() {
    ImageReference base = imported(repository + "/base:1");
    run(base);

    LocalImage image =
        images.commit(TASK, named(repository + "/mine:2"), Map.of("trainyard.owner", "u"));

    assertThat(image.references()).containsExactly(repository + "/mine:2");
    assertThat(image.labels())
        .containsEntry("trainyard.owner", "u")
        .containsEntry("trainyard.test", "");
    var config = client.inspectImageCmd(image.id()).exec().getConfig();
    assertThat(config.getEnv()).contains("PAI_TOKEN=").doesNotContain("PAI_TOKEN=hush");
    assertThat(config.getCmd()).containsExactly("/bin/sh");
    assertThat(config.getEntrypoint()).isNullOrEmpty();
  }

  @Test
  void commit_noContainer_isRejected() {
    assertKind(
        Kind.OTHER, () -> images.commit(TASK, ImageReference.of(repository + "/x"), Map.of()));
    DockerImages gone = new DockerImages(connection, _ -> Optional.of(repository));
    assertKind(Kind.OTHER, () -> gone.commit(TASK, ImageReference.of(repository + "/x"), Map.of()));
  }
}
