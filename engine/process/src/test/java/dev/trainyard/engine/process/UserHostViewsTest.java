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

  /** The mounts that exist during a trial, which determine its result. */
  private List<String> mountsInTrial = List.of(DISK);

  private Set<Path> refusedAlways = Set.of();
  private int trials;
  private UserHostViews machines;

  @BeforeEach
  void open() throws IOException {
    Files.createDirectory(data.resolve("layers"));
    machines =
        new UserHostViews(data, List.of(), () -> MountTable.parse(mounts), this::refusedByKernel);
  }

  private Set<Path> refusedByKernel(UserHostView machine) {
    trials++;
    MountTable now = MountTable.parse(mountsInTrial);
    Set<Path> refused = new HashSet<>(refusedAlways);
    machine.view().layered().stream()
        .filter(path -> !now.below(path).isEmpty())
        .forEach(refused::add);
    return refused;
  }

  private void mount(String... more) {
    mounts = Stream.concat(Stream.of(DISK), Stream.of(more)).toList();
    mountsInTrial = mounts;
  }

  @Test
  void current_containerComesAndGoes_varIsTemporarilyReadOnly() throws IOException {
    assertThat(machines.current().view().layered()).contains(VAR);
    UserHostView before = machines.current();

    mount(CONTAINER);
    UserHostView beside = machines.current();
    assertThat(beside.view().layered()).doesNotContain(VAR).contains(Path.of("/usr"));
    assertThat(beside.view().parts())
        .filteredOn(part -> part.path().equals(VAR))
        .hasOnlyElementsOfType(HostView.ReadOnly.class);
    assertThat(beside.fingerprint()).isNotEqualTo(before.fingerprint());

    mount();
    assertThat(machines.current().fingerprint()).isEqualTo(before.fingerprint());
    assertThat(trials).isEqualTo(1);
  }

  @Test
  void current_containerAtTheStart_varHasALayerOnceItIsGone() throws IOException {
    mount(CONTAINER);
    assertThat(machines.current().view().layered()).doesNotContain(VAR);

    mount();
    assertThat(machines.current().view().layered()).contains(VAR);
    assertThat(trials).isEqualTo(2);
  }

  @Test
  void current_mountDuringOneTrial_doesNotCountAsRejected() throws IOException {
    List<List<String>> seen = new ArrayList<>(List.of(List.of(DISK, CONTAINER), List.of(DISK)));
    machines =
        new UserHostViews(
            data,
            List.of(),
            () -> MountTable.parse(mounts),
            machine -> {
              mountsInTrial = seen.removeFirst();
              return refusedByKernel(machine);
            });

    assertThat(machines.current().view().layered()).contains(VAR);
  }

  @Test
  void current_layerRejectedWithoutMounts_isReadOnlyPermanently() throws IOException {
    refusedAlways = Set.of(VAR);
    assertThat(machines.current().view().layered()).doesNotContain(VAR).contains(Path.of("/usr"));
    int first = trials;

    mount(CONTAINER);
    mount();
    assertThat(machines.current().view().layered()).doesNotContain(VAR);
    assertThat(trials).isEqualTo(first);
  }
}
