package dev.trainyard.server.status;

import dev.trainyard.engine.linux.Inodes;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DiskThreshold;
import dev.trainyard.server.metric.MetricText;
import dev.trainyard.server.metric.Metrics;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the disks that the server writes to, and logs every change of a disk's {@link
 * Disk.Level}. While the level of a disk is critical, no job is accepted, because there would be no
 * space for its logs and records. Running jobs continue. Thread-safe.
 */
public final class DiskWatch implements Metrics.Source {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final long MEGABYTE = 1 << 20;

  /** A monitored file system. */
  public interface WatchedDisk {
    String path();

    long total() throws IOException;

    long free() throws IOException;

    Inodes inodes() throws IOException;
  }

  private final List<WatchedDisk> watchedDisks;
  private final DiskThreshold low;
  private final DiskThreshold critical;
  private volatile List<Disk> disks = List.of();

  public DiskWatch(
      List<? extends WatchedDisk> watchedDisks, DiskThreshold low, DiskThreshold critical) {
    this.watchedDisks = List.copyOf(watchedDisks);
    this.low = low;
    this.critical = critical;
  }

  /** Returns the file systems that contain the directories, without duplicates. */
  public static List<WatchedDisk> disksOf(List<Path> directories) throws IOException {
    Map<FileStore, WatchedDisk> watchedDisks = new LinkedHashMap<>();
    for (Path directory : directories) {
      FileStore store = Files.getFileStore(directory);
      watchedDisks.putIfAbsent(store, new WatchedDirectory(directory, store));
    }
    return List.copyOf(watchedDisks.values());
  }

  private record WatchedDirectory(Path directory, FileStore store) implements WatchedDisk {
    @Override
    public String path() {
      return directory.toString();
    }

    @Override
    public long total() throws IOException {
      return store.getTotalSpace();
    }

    @Override
    public long free() throws IOException {
      return store.getUsableSpace();
    }

    @Override
    public Inodes inodes() throws IOException {
      return Inodes.of(directory);
    }
  }

  /** Checks all disks now. */
  public synchronized void check() {
    List<Disk> checkedDisks = new ArrayList<>();
    for (int i = 0; i < watchedDisks.size(); i++) {
      WatchedDisk watchedDisk = watchedDisks.get(i);
      try {
        Disk disk =
            Disk.of(
                watchedDisk.path(),
                watchedDisk.total(),
                watchedDisk.free(),
                watchedDisk.inodes(),
                low,
                critical);
        report(disks.isEmpty() ? Disk.Level.OK : disks.get(i).level(), disk);
        checkedDisks.add(disk);
      } catch (IOException e) {
        LOG.warn("failed to determine the free space of the disk of {}", watchedDisk.path(), e);
        checkedDisks.add(new Disk(watchedDisk.path(), 0, 0, 0, 0, Disk.Level.OK));
      }
    }
    disks = List.copyOf(checkedDisks);
  }

  private static void report(Disk.Level previousLevel, Disk disk) {
    if (disk.level() == previousLevel) {
      return;
    }
    if (disk.level() == Disk.Level.OK) {
      LOG.info("the disk of {} has enough free space again", disk.path());
    } else {
      LOG.warn("{}", warning(disk).english());
    }
  }

  public List<Disk> disks() {
    return disks;
  }

  /** Returns the current warnings. */
  public List<Message> warnings() {
    return disks.stream()
        .filter(disk -> disk.level() != Disk.Level.OK)
        .map(DiskWatch::warning)
        .toList();
  }

  private static Message warning(Disk disk) {
    if (disk.lacksInodes()) {
      String code =
          disk.level() == Disk.Level.CRITICAL ? "notice.inodes-exhausted" : "notice.inodes-low";
      return Message.of(code, "path", disk.path())
          .with("free", disk.freeInodes())
          .with("percent", disk.freeInodes() * 100 / disk.inodes());
    }
    String code = disk.level() == Disk.Level.CRITICAL ? "notice.disk-full" : "notice.disk-low";
    return Message.of(code, "path", disk.path())
        .with("freeMB", disk.free() / MEGABYTE)
        .with("percent", disk.total() == 0 ? 0 : disk.free() * 100 / disk.total());
  }

  /**
   * Throws if the level of a disk is critical. If it was critical at the last check, checks again
   * first, because space may have been freed.
   */
  public void requireSpace() {
    if (highestLevel() == Disk.Level.CRITICAL) {
      requireSpaceNow();
    }
  }

  /**
   * Like {@link #requireSpace}, but always checks first; for requests that can fill a disk by
   * themselves.
   */
  public void requireSpaceNow() {
    check();
    for (Disk disk : disks) {
      if (disk.level() == Disk.Level.CRITICAL) {
        throw new AppException(ErrorCode.DISK_FULL, noSpaceMessage(disk));
      }
    }
  }

  private static Message noSpaceMessage(Disk disk) {
    return disk.lacksInodes()
        ? Message.of("error.no-inodes", "path", disk.path()).with("free", disk.freeInodes())
        : Message.of("error.no-room", "path", disk.path()).with("freeMB", disk.free() / MEGABYTE);
  }

  private Disk.Level highestLevel() {
    return disks.stream().map(Disk::level).max(Disk.Level::compareTo).orElse(Disk.Level.OK);
  }

  @Override
  public void writeTo(MetricText text) {
    text.family("trainyard_disk_free_bytes", "gauge", "Free space of the disk.");
    disks.forEach(
        disk -> text.sample("trainyard_disk_free_bytes", Map.of("path", disk.path()), disk.free()));
    text.family("trainyard_disk_size_bytes", "gauge", "Size of the disk.");
    disks.forEach(
        disk ->
            text.sample("trainyard_disk_size_bytes", Map.of("path", disk.path()), disk.total()));
    text.family("trainyard_disk_free_inodes", "gauge", "Files that can still be created.");
    disks.stream()
        .filter(disk -> disk.inodes() > 0)
        .forEach(
            disk ->
                text.sample(
                    "trainyard_disk_free_inodes", Map.of("path", disk.path()), disk.freeInodes()));
    text.family(
        "trainyard_disk_level",
        "gauge",
        "Disk space: 0 sufficient, 1 low, 2 critical (jobs are rejected).");
    disks.forEach(
        disk ->
            text.sample(
                "trainyard_disk_level", Map.of("path", disk.path()), disk.level().number()));
  }
}
