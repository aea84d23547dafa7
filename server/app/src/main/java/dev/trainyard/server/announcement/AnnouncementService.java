package dev.trainyard.server.announcement;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Announcements, newest first. Thread-safe. */
public final class AnnouncementService {
  /**
   * Maximum number of announcements; limited because every user receives all current announcements
   * in one response.
   */
  private static final int MAX_ANNOUNCEMENTS = 200;

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;
  private final Ulid ids;

  public AnnouncementService(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** Returns the announcements to show now. */
  public List<Announcement> current() {
    Instant now = clock.instant();
    return listAll().stream().filter(announcement -> announcement.isCurrent(now)).toList();
  }

  List<Announcement> listAll() {
    return db.read(AnnouncementStore::list);
  }

  Instant now() {
    return clock.instant();
  }

  String newId() {
    return ids.next();
  }

  Announcement load(String id) {
    return db.read(handle -> AnnouncementStore.find(handle, id)).orElseThrow(() -> notFound(id));
  }

  Announcement add(Actor actor, Announcement announcement) {
    return db.write(
        handle -> {
          if (AnnouncementStore.count(handle) >= MAX_ANNOUNCEMENTS) {
            throw new AppException(
                ErrorCode.CONFLICT,
                Message.of("error.too-many-announcements", "most", MAX_ANNOUNCEMENTS));
          }
          AnnouncementStore.insert(handle, announcement);
          record(handle, actor, "create", announcement, Map.of(), announcement.auditView());
          return announcement;
        });
  }

  Announcement replace(Actor actor, Announcement announcement) {
    return db.write(
        handle -> {
          Announcement before =
              AnnouncementStore.find(handle, announcement.id())
                  .orElseThrow(() -> notFound(announcement.id()));
          AnnouncementStore.delete(handle, announcement.id());
          AnnouncementStore.insert(handle, announcement);
          record(
              handle, actor, "change", announcement, before.auditView(), announcement.auditView());
          return announcement;
        });
  }

  void delete(Actor actor, String id) {
    db.write(
        handle -> {
          Announcement before = AnnouncementStore.find(handle, id).orElseThrow(() -> notFound(id));
          AnnouncementStore.delete(handle, id);
          record(handle, actor, "delete", before, before.auditView(), Map.of());
          return null;
        });
  }

  private void record(
      Handle handle,
      Actor actor,
      String action,
      Announcement announcement,
      Map<String, ?> before,
      Map<String, ?> after) {
    String target = "announcement:" + announcement.id();
    audit.record(handle, actor, "announcement." + action, target, before, after);
  }

  private static AppException notFound(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-announcement", "id", id));
  }
}
