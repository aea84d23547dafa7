package dev.trainyard.server.announcement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@EveryDatabase
class AnnouncementServiceTest {
  private static final Actor ROOT = new Actor("u0", "root", "", "");

  private final MutableClock clock = new MutableClock();
  private final AnnouncementService announcements;

  AnnouncementServiceTest(Db db) {
    announcements = new AnnouncementService(db, clock);
  }

  private Announcement add(String title, long fromSeconds, Optional<Long> untilSeconds) {
    Instant now = clock.instant();
    return announcements.add(
        ROOT,
        new Announcement(
            announcements.newId(),
            title,
            "<b>text</b>",
            "info",
            now.plusSeconds(fromSeconds),
            untilSeconds.map(now::plusSeconds),
            "root",
            now));
  }

  @Test
  void current_onlyActiveOnes() {
    add("over", -20, Optional.of(-10L));
    Announcement old = add("old", -20, Optional.empty());
    Announcement now = add("now", -5, Optional.of(10L));
    add("to come", 5, Optional.empty());
    assertThat(announcements.current()).containsExactly(now, old);
    assertThat(announcements.listAll()).hasSize(4);
  }

  @Test
  void replaceAndDelete_takeEffect() {
    Announcement added = add("a", 0, Optional.empty());
    Announcement changed =
        new Announcement(
            added.id(),
            "b",
            "",
            "critical",
            added.from(),
            Optional.empty(),
            "root",
            added.created());
    announcements.replace(ROOT, changed);
    assertThat(announcements.listAll()).containsExactly(changed);
    announcements.delete(ROOT, added.id());
    assertThatThrownBy(() -> announcements.delete(ROOT, added.id()))
        .isInstanceOf(AppException.class);
  }
}
