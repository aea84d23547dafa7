package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.linux.Inodes;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DiskThreshold;
import dev.trainyard.server.metric.MetricText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskWatchTest {
  private static final long GB = 1L << 30;
  private static final DiskThreshold LOW = threshold(10, 5 * GB);
  private static final DiskThreshold CRITICAL = threshold(1, GB / 2);

  /** Free inodes of a file system without a fixed number of inodes. */
  private static final Inodes NO_INODES = new Inodes(0, 0);

  private static DiskThreshold threshold(int percent, long bytes) {
    return new DiskThreshold(Optional.of(percent), Optional.of(new DataSize(bytes)));
  }

  private static final class FakeDisk implements DiskWatch.WatchedDisk {
    private long free = 50 * GB;
    private Inodes inodes = new Inodes(1_000_000, 500_000);
    private boolean broken;

    @Override
    public String path() {
      return "/data";
    }

    @Override
    public long total() {
      return 100 * GB;
    }

    @Override
    public long free() throws IOException {
      if (broken) {
        throw new IOException("broken");
      }
      return free;
    }

    @Override
    public Inodes inodes() {
      return inodes;
    }
  }

  private final FakeDisk disk = new FakeDisk();
  private final DiskWatch watch = new DiskWatch(List.of(disk), LOW, CRITICAL);

  /** Free and whole size in megabytes. */
  @ParameterizedTest
  @CsvSource({
    "50000, 100000, OK",
    // one tenth of a very large disk is sufficient
    "6000, 10000000, OK",
    "5000, 10000000, LOW",
    // a small amount is a large share of a small disk
    "4000, 20000, OK",
    "1900, 20000, LOW",
    "199, 20000, CRITICAL",
    "511, 100000, CRITICAL",
    "0, 100, CRITICAL"
  })
  void level(long free, long total, Disk.Level expected) {
    assertThat(Disk.of("/", total << 20, free << 20, NO_INODES, LOW, CRITICAL).level())
        .isEqualTo(expected);
  }

  @Test
  void check_lowThenFullThenFreed_warnsRejectsAndRecovers() {
    watch.check();
    assertThat(watch.warnings()).isEmpty();
    watch.requireSpace();
    disk.free = 4 * GB;
    watch.check();
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.disk-low");
    watch.requireSpace();
    disk.free = GB / 4;
    watch.check();
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.disk-full");
    assertThatThrownBy(watch::requireSpace)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
        .hasMessageContaining("/data");
    disk.free = 20 * GB;
    // No check ran since then, but requests are not rejected any longer.
    watch.requireSpace();
    assertThat(watch.warnings()).isEmpty();
  }

  @Test
  void check_fewInodesLeft_warnsRejectsAndRecovers() {
    disk.inodes = new Inodes(1_000_000, 40_000);
    watch.check();
    assertThat(watch.warnings()).extracting(Message::code).containsExactly("notice.inodes-low");
    watch.requireSpace();
    disk.inodes = new Inodes(1_000_000, 9_999);
    watch.check();
    assertThat(watch.warnings())
        .extracting(Message::code)
        .containsExactly("notice.inodes-exhausted");
    assertThatThrownBy(watch::requireSpace)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
        .hasMessageContaining("9999");
    disk.inodes = new Inodes(1_000_000, 500_000);
    watch.requireSpace();
    assertThat(watch.warnings()).isEmpty();
  }

  @Test
  void requireSpaceNow_fullSinceTheLastCheck_rejects() {
    watch.check();
    disk.inodes = new Inodes(1_000_000, 10);
    watch.requireSpace();
    assertThatThrownBy(watch::requireSpaceNow).isInstanceOf(AppException.class);
  }

  @Test
  void check_unreadableDisk_doesNotReject() {
    disk.broken = true;
    watch.check();
    watch.requireSpace();
    assertThat(watch.disks()).hasSize(1);
  }

  @Test
  void metrics_reportFreeSpace() {
    disk.free = 4 * GB;
    watch.check();
    MetricText text = new MetricText();
    watch.writeTo(text);
    assertThat(text.toString())
        .contains("trainyard_disk_free_bytes{path=\"/data\"} " + 4 * GB)
        .contains("trainyard_disk_level{path=\"/data\"} 1");
  }

  @Test
  void disksOf_directoriesOnOneDisk_oneDisk(@TempDir Path directory) throws IOException {
    List<DiskWatch.WatchedDisk> places =
        DiskWatch.disksOf(List.of(directory, directory.getParent()));
    assertThat(places).hasSize(1);
    assertThat(places.getFirst().total()).isPositive();
    assertThat(places.getFirst().free()).isPositive();
  }
}
