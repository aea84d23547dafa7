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
  private static final RegistryAccess ALICE_ACCESS = new RegistryAccess(Optional.of(ALICE), false);
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

  private ImageReference register(String name) {
    ImageReference reference = ImageReference.of(name);
    created.add(reference);
    return reference;
  }

  /** Imports an image with one small file and no program. */
  private ImageReference importImage(String name) {
    ImageReference reference = register(name);
    TestRegistry.importImage(reference.toString(), repository);
    return reference;
  }

  private static void assertKind(Kind kind, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ImageException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }

  @Test
  void pull_pushedImage_succeedsWithProgress() {
    ImageReference reference =
        importImage(registry(false).loopbackAddress() + "/" + repository + "/a:1");
    String id = images.find(reference).orElseThrow().id();
    List<PullProgress> pushProgress = new ArrayList<>();
    images.push(reference, ANONYMOUS_ACCESS, pushProgress::add);
    images.remove(reference);
    assertThat(images.find(reference)).isEmpty();

    List<PullProgress> pullProgress = new ArrayList<>();
    LocalImage pulled = images.pull(reference, ANONYMOUS_ACCESS, pullProgress::add);

    assertThat(pulled.id()).isEqualTo(id);
    assertThat(pulled.architecture()).isNotEmpty();
    assertThat(pushProgress.getLast().percent()).isEqualTo(100);
    assertThat(pullProgress.getLast().percent()).isEqualTo(100);
    assertThat(pullProgress.getLast().total()).isPositive();
    assertThat(images.list()).extracting(LocalImage::id).contains(id);
  }

  @Test
  void pull_remoteRegistryWithoutTls_usesRelay() {
    registry(false);
    ImageReference reference = importImage(registry.networkAddress() + "/" + repository + "/lan:1");
    RegistryAccess plainHttp = new RegistryAccess(Optional.empty(), true);
    String id = images.find(reference).orElseThrow().id();
    assertKind(Kind.UNREACHABLE, () -> images.push(reference, ANONYMOUS_ACCESS, _ -> {}));
    images.push(reference, plainHttp, _ -> {});
    images.remove(reference);

    assertThat(images.pull(reference, plainHttp, _ -> {}).id()).isEqualTo(id);

    assertThat(images.find(reference).orElseThrow().references())
        .as("no trace of the relay")
        .containsExactly(reference.toString());
  }

  @Test
  void pull_failures_areClassified() {
    String host = registry(true).loopbackAddress();
    ImageReference missingImage = ImageReference.of(host + "/" + repository + "/none:1");
    RegistryAccess wrongPassword =
        new RegistryAccess(Optional.of(new RegistryLogin("alice", "wrong")), false);

    assertKind(Kind.UNKNOWN_IMAGE, () -> images.pull(missingImage, ALICE_ACCESS, _ -> {}));
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(missingImage, wrongPassword, _ -> {}));
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(missingImage, ANONYMOUS_ACCESS, _ -> {}));
    registry.close();
    assertKind(Kind.UNREACHABLE, () -> images.pull(missingImage, ALICE_ACCESS, _ -> {}));
    RegistryAccess plainHttp = new RegistryAccess(Optional.empty(), true);
    assertKind(
        Kind.UNREACHABLE,
        () ->
            images.pull(missingImage.withRegistry(registry.networkAddress()), plainHttp, _ -> {}));
    ImageReference invalidName = new ImageReference(host, "Not/Lower", "1", "");
    assertKind(Kind.BAD_NAME, () -> images.pull(invalidName, ALICE_ACCESS, _ -> {}));
  }

  @Test
  void push_registryWithLogin_requiresIt() {
    ImageReference reference =
        importImage(registry(true).loopbackAddress() + "/" + repository + "/p:1");

    assertKind(Kind.LOGIN_REFUSED, () -> images.push(reference, ANONYMOUS_ACCESS, _ -> {}));
    images.push(reference, ALICE_ACCESS, _ -> {});
    images.remove(reference);
    assertKind(Kind.LOGIN_REFUSED, () -> images.pull(reference, ANONYMOUS_ACCESS, _ -> {}));
    assertThat(images.pull(reference, ALICE_ACCESS, _ -> {}).references())
        .contains(reference.toString());
  }

  @Test
  void remove_inUse_isRejected() {
    ImageReference reference = importImage(repository + "/used:1");
    ImageReference other = register(repository + "/used:2");
    images.tag(reference, other);
    createContainer(reference);

    assertThat(images.usedIds()).contains(images.find(reference).orElseThrow().id());
    assertKind(Kind.IN_USE, () -> images.remove(reference));
    assertKind(Kind.IN_USE, () -> images.remove(other));
    assertKind(Kind.UNKNOWN_IMAGE, () -> images.remove(ImageReference.of(repository + "/none")));
  }

  private void createContainer(ImageReference reference) {
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
  void commit_task_containsOnlyItsFiles() {
    ImageReference base = importImage(repository + "/base:1");
    createContainer(base);

    LocalImage image =
        images.commit(TASK, register(repository + "/mine:2"), Map.of("trainyard.owner", "u"));

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
    DockerImages imagesWithoutContainer =
        new DockerImages(connection, _ -> Optional.of(repository));
    assertKind(
        Kind.OTHER,
        () -> imagesWithoutContainer.commit(TASK, ImageReference.of(repository + "/x"), Map.of()));
  }
}
