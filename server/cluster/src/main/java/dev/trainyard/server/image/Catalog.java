package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.image.CatalogEntry.Seen;
import dev.trainyard.server.image.CatalogEntry.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Images under short names: users propose them, administrators approve or reject them. Thread-safe.
 */
final class Catalog {
  private static final int MOST_PROPOSALS = 50;
  private static final String COLUMNS =
      "select name, reference, description, framework, tags, state, proposer_id, proposer, note,"
          + " image_id, fixed from catalogue_image ";

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;

  Catalog(Db db, Audit audit, InstantSource clock) {
    this.db = db;
    this.audit = audit;
    this.clock = clock;
  }

  /** Returns the approved entries and the caller's own proposals; administrators see all. */
  List<CatalogEntry> list(Caller caller, String words) {
    return db.read(
        handle ->
            handle
                .createQuery(COLUMNS + "order by name")
                .map((rows, _) -> entry(rows))
                .filter(entry -> sees(caller, entry) && entry.matches(words))
                .list());
  }

  private static boolean sees(Caller caller, CatalogEntry entry) {
    return caller.admin()
        || entry.state() == State.APPROVED
        || entry.proposerId().equals(caller.userId());
  }

  CatalogEntry load(Caller caller, String name) {
    return db.read(handle -> find(handle, name))
        .filter(entry -> sees(caller, entry))
        .orElseThrow(() -> unknown(name));
  }

  /** Returns the reference of a short name; empty if it is not an approved name. */
  Optional<ImageReference> resolve(String name) {
    return findApproved(name).flatMap(entry -> ImageReference.parse(entry.reference()));
  }

  Optional<CatalogEntry> findApproved(String name) {
    return CatalogEntry.isName(name)
        ? db.read(handle -> find(handle, name)).filter(entry -> entry.state() == State.APPROVED)
        : Optional.empty();
  }

  /** Returns whether an administrator approved this reference. */
  boolean contains(ImageReference reference) {
    return db.read(handle -> contains(handle, reference));
  }

  private static boolean contains(Handle handle, ImageReference reference) {
    return handle
        .createQuery(
            "select 1 from catalogue_image where reference = :reference and state = :state"
                + " limit 1")
        .bind("reference", reference.toString())
        .bind("state", State.APPROVED.name())
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  /** Returns whether all users may use an image because an administrator approved it. */
  static boolean opens(Handle handle, ImageReference reference, String imageId) {
    return handle
        .createQuery(
            "select 1 from catalogue_image where reference = :reference and state = :state"
                + " and (fixed = 0 or image_id = :image) limit 1")
        .bind("image", imageId)
        .bind("reference", reference.toString())
        .bind("state", State.APPROVED.name())
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  /** Adds a proposal; a proposal of an administrator is approved immediately. */
  CatalogEntry add(Caller caller, Actor actor, CatalogEntry entry) {
    return db.write(
        handle -> {
          Optional<CatalogEntry> before = find(handle, entry.name());
          if (before.filter(there -> !mayReplace(caller, there)).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN,
                Message.of("error.catalogue-name-taken", "name", entry.name()));
          }
          if (!caller.admin() && proposals(handle, caller.userId()) >= MOST_PROPOSALS) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-proposals", "most", MOST_PROPOSALS));
          }
          CatalogEntry added =
              before
                  .filter(there -> there.isApprovalOf(entry))
                  .map(there -> entry.with(there.seen()))
                  .orElse(entry);
          put(handle, added);
          audit.record(
              handle,
              actor,
              caller.admin() ? "image.add" : "image.propose",
              target(added),
              before.map(CatalogEntry::view).orElse(Map.of()),
              added.view());
          return added;
        });
  }

  /**
   * Administrators may replace every entry; other users only rejected ones and their own pending
   * proposals.
   */
  private static boolean mayReplace(Caller caller, CatalogEntry there) {
    return caller.admin()
        || there.state() == State.REFUSED
        || (there.state() == State.PROPOSED && there.proposerId().equals(caller.userId()));
  }

  private static int proposals(Handle handle, String userId) {
    return handle
        .createQuery(
            "select count(*) from catalogue_image where proposer_id = :user and state <> :state")
        .bind("user", userId)
        .bind("state", State.APPROVED.name())
        .mapTo(Integer.class)
        .one();
  }

  /**
   * @param seen the image that the reference currently resolves to
   */
  CatalogEntry judge(Actor actor, String name, State state, String note, Seen seen) {
    return db.write(
        handle -> {
          CatalogEntry before = find(handle, name).orElseThrow(() -> unknown(name));
          CatalogEntry after =
              before.judged(state, note, state == State.APPROVED ? seen : Seen.NOTHING);
          put(handle, after);
          audit.record(
              handle,
              actor,
              state == State.APPROVED ? "image.approve" : "image.refuse",
              target(after),
              before.view(),
              after.view());
          return after;
        });
  }

  void delete(Caller caller, Actor actor, String name) {
    CatalogEntry entry = load(caller, name);
    if (!mayReplace(caller, entry)
        || (!caller.admin() && !entry.proposerId().equals(caller.userId()))) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    db.write(
        handle -> {
          handle.execute("delete from catalogue_image where name = ?", entry.name());
          audit.record(handle, actor, "image.delete", target(entry), entry.view(), Map.of());
          return null;
        });
  }

  private static String target(CatalogEntry entry) {
    return "image:" + entry.name();
  }

  private void put(Handle handle, CatalogEntry entry) {
    handle.execute("delete from catalogue_image where name = ?", entry.name());
    handle.execute(
        "insert into catalogue_image (name, reference, description, framework, tags, state,"
            + " proposer_id, proposer, note, image_id, fixed, changed)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        entry.name(),
        entry.reference(),
        entry.description(),
        entry.framework(),
        RegistryService.text(entry.tags()),
        entry.state().name(),
        entry.proposerId(),
        entry.proposer(),
        entry.note(),
        entry.seen().id(),
        entry.seen().fixed() ? 1 : 0,
        clock.instant().toEpochMilli());
  }

  private static Optional<CatalogEntry> find(Handle handle, String name) {
    return handle
        .createQuery(COLUMNS + "where name = :name")
        .bind("name", name)
        .map((rows, _) -> entry(rows))
        .findOne();
  }

  private static CatalogEntry entry(ResultSet rows) throws SQLException {
    return new CatalogEntry(
        rows.getString("name"),
        rows.getString("reference"),
        rows.getString("description"),
        rows.getString("framework"),
        RegistryService.texts(rows.getString("tags")),
        State.valueOf(rows.getString("state")),
        rows.getString("proposer_id"),
        rows.getString("proposer"),
        rows.getString("note"),
        new Seen(rows.getString("image_id"), rows.getInt("fixed") != 0));
  }

  private static AppException unknown(String name) {
    return new AppException(
        ErrorCode.NOT_FOUND, Message.of("error.no-catalogue-image", "name", name));
  }
}
