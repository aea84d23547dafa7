package dev.trainyard.server.image;

import dev.trainyard.model.ImageReference;
import dev.trainyard.server.image.CatalogEntry.ReviewedImage;
import dev.trainyard.server.image.CatalogEntry.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for the image catalog. */
final class CatalogStore {
  private static final String SELECT =
      "select name, reference, description, framework, tags, state, proposer_id, proposer, note,"
          + " image_id, fixed, description_code from catalogue_image ";

  private CatalogStore() {}

  static List<CatalogEntry> list(Handle handle) {
    return handle.createQuery(SELECT + "order by name").map((rows, _) -> entry(rows)).list();
  }

  /** Returns whether an administrator approved this reference. */
  static boolean contains(Handle handle, ImageReference reference) {
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
  static boolean isOpenToAll(Handle handle, ImageReference reference, String imageId) {
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

  /** Counts a user's entries that are not approved. */
  static int countProposals(Handle handle, String userId) {
    return handle
        .createQuery(
            "select count(*) from catalogue_image where proposer_id = :user and state <> :state")
        .bind("user", userId)
        .bind("state", State.APPROVED.name())
        .mapTo(Integer.class)
        .one();
  }

  /** Stores an entry; replaces an existing entry of this name. */
  static void put(Handle handle, CatalogEntry entry, Instant now) {
    delete(handle, entry.name());
    handle.execute(
        "insert into catalogue_image (name, reference, description, framework, tags, state,"
            + " proposer_id, proposer, note, image_id, fixed, description_code, changed)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        entry.name(),
        entry.reference(),
        entry.description(),
        entry.framework(),
        StoredTexts.write(entry.tags()),
        entry.state().name(),
        entry.proposerId(),
        entry.proposer(),
        entry.note(),
        entry.reviewedImage().id(),
        entry.reviewedImage().fixed() ? 1 : 0,
        entry.descriptionCode(),
        now.toEpochMilli());
  }

  static void delete(Handle handle, String name) {
    handle.execute("delete from catalogue_image where name = ?", name);
  }

  static Optional<CatalogEntry> find(Handle handle, String name) {
    return handle
        .createQuery(SELECT + "where name = :name")
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
        StoredTexts.read(rows.getString("tags")),
        State.valueOf(rows.getString("state")),
        rows.getString("proposer_id"),
        rows.getString("proposer"),
        rows.getString("note"),
        new ReviewedImage(rows.getString("image_id"), rows.getInt("fixed") != 0),
        rows.getString("description_code"));
  }
}
