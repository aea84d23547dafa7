package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests mounts that appear and disappear while a server of an ordinary user runs. */
class UserHostViewsTest {
  private static final String DISK = "28 1 254:1 / / rw,relatime - ext4 /dev/vda rw";
  private static final String CONTAINER =
      "90 28 0:50 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw";
  private static final Path VAR = Path.of("/var");

  @TempDir Path data;
  private List<String> mounts = List.of(DISK);

  /** The mounts that exist during a trial; they determine the result of the trial. */
  private List<String> mountsInTrial = List.of(DISK);

  private Set<Path> refusedAlways = Set.of();
  private int trials;
  private UserHostViews hostViews;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectory(data.resolve("layers"));
    hostViews =
        new UserHostViews(data, List.of(), () -> MountTable.parse(mounts), this::refusedByKernel);
  }

  private Set<Path> refusedByKernel(UserHostView hostView) {
    trials++;
    MountTable trialMounts = MountTable.parse(mountsInTrial);
    Set<Path> refusedPaths = new HashSet<>(refusedAlways);
    hostView.view().overlayPaths().stream()
        .filter(path -> !trialMounts.mountsBelow(path).isEmpty())
        .forEach(refusedPaths::add);
    return refusedPaths;
  }

  private void mount(String... additionalMounts) {
    mounts = Stream.concat(Stream.of(DISK), Stream.of(additionalMounts)).toList();
    mountsInTrial = mounts;
  }

  @Test
  void current_containerComesAndGoes_varIsTemporarilyReadOnly() throws IOException {
    assertThat(hostViews.current().view().overlayPaths()).contains(VAR);
    UserHostView initialView = hostViews.current();

    mount(CONTAINER);
    UserHostView withContainer = hostViews.current();
    assertThat(withContainer.view().overlayPaths()).doesNotContain(VAR).contains(Path.of("/usr"));
    assertThat(withContainer.view().parts())
        .filteredOn(part -> part.path().equals(VAR))
        .hasOnlyElementsOfType(HostView.ReadOnlyDirectory.class);
    assertThat(withContainer.fingerprint()).isNotEqualTo(initialView.fingerprint());

    mount();
    assertThat(hostViews.current().fingerprint()).isEqualTo(initialView.fingerprint());
    assertThat(trials).isEqualTo(1);
  }

  @Test
  void current_containerAtTheStart_varHasALayerOnceItIsGone() throws IOException {
    mount(CONTAINER);
    assertThat(hostViews.current().view().overlayPaths()).doesNotContain(VAR);

    mount();
    assertThat(hostViews.current().view().overlayPaths()).contains(VAR);
    assertThat(trials).isEqualTo(2);
  }

  @Test
  void current_mountDuringOneTrial_doesNotCountAsRejected() throws IOException {
    List<List<String>> mountsPerTrial =
        new ArrayList<>(List.of(List.of(DISK, CONTAINER), List.of(DISK)));
    hostViews =
        new UserHostViews(
            data,
            List.of(),
            () -> MountTable.parse(mounts),
            hostView -> {
              mountsInTrial = mountsPerTrial.removeFirst();
              return refusedByKernel(hostView);
            });

    assertThat(hostViews.current().view().overlayPaths()).contains(VAR);
  }

  @Test
  void current_layerRejectedWithoutMounts_isReadOnlyPermanently() throws IOException {
    refusedAlways = Set.of(VAR);
    assertThat(hostViews.current().view().overlayPaths())
        .doesNotContain(VAR)
        .contains(Path.of("/usr"));
    int initialTrials = trials;

    mount(CONTAINER);
    mount();
    assertThat(hostViews.current().view().overlayPaths()).doesNotContain(VAR);
    assertThat(trials).isEqualTo(initialTrials);
  }
}
