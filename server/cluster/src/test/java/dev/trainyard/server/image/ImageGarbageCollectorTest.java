package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.LocalImage;
import dev.trainyard.engine.testkit.MemoryImages;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ImageReference;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.config.DiskThreshold;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class ImageGarbageCollectorTest {
  private static final Caller ROOT = new Caller("u0", "root", true, "t0");
  private static final DiskThreshold LOW =
      new DiskThreshold(Optional.empty(), Optional.of(DataSize.ofMegabytes(1)));

  private final JobFixture fixture;
  private final MutableClock clock;
  private final MemoryImages images = new MemoryImages();
  private final Catalog catalog;
  private final NodeImageService machine;
  private final ImageGarbageCollector cleaning;
  private boolean low;

  ImageGarbageCollectorTest(Db db) {
    this.fixture = new JobFixture(db);
    this.clock = fixture.clock;
    this.catalog = new Catalog(db, new Audit(clock), clock);
    this.machine = new NodeImageService(db, clock);
    this.cleaning =
        new ImageGarbageCollector(
            db,
            fixture.store,
            images,
            catalog,
            Optional.of(Duration.ofDays(30)),
            LOW,
            _ -> low && images.list().size() > 1,
            clock);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void addPulledImage(String name) {
    LocalImage image = images.add(name, Instant.EPOCH);
    machine.pullFinished("u1", false, ImageReference.of(name), image);
  }

  private List<String> remainingImages() {
    return images.list().stream().map(image -> image.references().getFirst()).toList();
  }

  @Test
  void sweep_unusedForLong_removed() {
    addPulledImage("old:1");
    clock.advance(Duration.ofDays(20));
    addPulledImage("young:1");
    clock.advance(Duration.ofDays(11));

    assertThat(cleaning.sweep()).containsExactly("docker.io/library/old:1");
    assertThat(remainingImages()).containsExactly("young:1");
    assertThat(machine.find(ImageReference.of("old:1"))).isEmpty();
  }

  @Test
  void sweep_neededImages_kept() {
    addPulledImage("used:1");
    images.use("used:1");
    addPulledImage("listed:1");
    catalog.add(
        ROOT,
        Actor.of(ROOT),
        new CatalogEntry(
            "short",
            ImageReference.of("listed:1").toString(),
            "",
            "",
            List.of(),
            CatalogEntry.State.APPROVED,
            "u0",
            "root",
            ""));
    addPulledImage("ubuntu:16.04");
    fixture.submit(JobFileText.named("waiting"));
    ImageReference made = ImageReference.of("alice/made:1");
    machine.createStarted("u1", made);
    machine.createFinished(made, images.add("alice/made:1", Instant.EPOCH));
    ImageReference found = ImageReference.of("found:1");
    machine.imageUsed(found, images.add("found:1", Instant.EPOCH));
    images.add("foreign:1", Instant.EPOCH);
    clock.advance(Duration.ofDays(400));
    low = true;

    assertThat(cleaning.sweep()).isEmpty();
    assertThat(remainingImages()).hasSize(6);
  }

  @Test
  void sweep_diskLow_leastRecentlyUsedRemovedFirst() {
    addPulledImage("first:1");
    clock.advance(Duration.ofMinutes(1));
    addPulledImage("second:1");
    clock.advance(Duration.ofMinutes(1));
    machine.imageUsed(
        ImageReference.of("first:1"), images.find(ImageReference.of("first:1")).orElseThrow());
    low = true;

    assertThat(cleaning.sweep()).containsExactly("docker.io/library/second:1");
    assertThat(remainingImages()).containsExactly("first:1");
  }
}
