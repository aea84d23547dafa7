package dev.trainyard.server.image;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * SQL statements for the images on the node and their permitted users. Every method runs in the
 * caller's transaction.
 */
final class NodeImageStore {
  private static final String SELECT =
      "select reference, image_id, origin, restricted, maker, used from machine_image ";

  private NodeImageStore() {}

  static List<NodeImage> list(Handle handle) {
    return handle.createQuery(SELECT).map((rows, _) -> image(rows)).list();
  }

  static Optional<NodeImage> find(Handle handle, String reference) {
    return handle
        .createQuery(SELECT + "where reference = :reference")
        .bind("reference", reference)
        .map((rows, _) -> image(rows))
        .findOne();
  }

  /** Returns whether an image has no unrestricted name, and has or had a restricted name. */
  static boolean isRestricted(Handle handle, String imageId) {
    List<Boolean> restrictions =
        handle
            .createQuery("select restricted from machine_image where image_id = :id")
            .bind("id", imageId)
            .map((rows, _) -> rows.getInt(1) != 0)
            .list();
    return !restrictions.contains(false)
        && (!restrictions.isEmpty() || wasRestricted(handle, imageId));
  }

  private static boolean wasRestricted(Handle handle, String imageId) {
    return handle
        .createQuery("select 1 from past_private_image where image_id = :id")
        .bind("id", imageId)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  /**
   * Records that the image of a name was restricted, so that the image stays restricted when it
   * loses its last name.
   */
  private static void recordRestricted(Handle handle, String reference) {
    handle.execute(
        "insert into past_private_image (image_id) select image_id from machine_image"
            + " where reference = ? and restricted = 1 and image_id <> '' on conflict do nothing",
        reference);
  }

  /**
   * Returns whether a user may use the image under this name even if it is restricted: the registry
   * granted access to the user, or the user created the image.
   */
  static boolean isReader(Handle handle, String reference, String userId) {
    return handle
        .createQuery(
            "select 1 from machine_image_reader where reference = :reference and user_id = :user")
        .bind("reference", reference)
        .bind("user", userId)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  static void put(Handle handle, NodeImage image) {
    find(handle, image.reference())
        .filter(before -> !before.imageId().equals(image.imageId()))
        .ifPresent(before -> recordRestricted(handle, before.reference()));
    handle.execute(
        "insert into machine_image (reference, image_id, origin, restricted, maker, used)"
            + " values (?, ?, ?, ?, ?, ?) on conflict (reference) do update set"
            + " image_id = excluded.image_id, origin = excluded.origin,"
            + " restricted = excluded.restricted, maker = excluded.maker, used = excluded.used",
        image.reference(),
        image.imageId(),
        image.origin().name(),
        image.restricted() ? 1 : 0,
        image.creator(),
        image.lastUsed().toEpochMilli());
  }

  static void addReader(Handle handle, String reference, String userId) {
    handle.execute(
        "insert into machine_image_reader (reference, user_id) values (?, ?)"
            + " on conflict do nothing",
        reference,
        userId);
  }

  static List<String> readers(Handle handle, String reference) {
    return handle
        .createQuery("select user_id from machine_image_reader where reference = :reference")
        .bind("reference", reference)
        .mapTo(String.class)
        .list();
  }

  static void updateLastUsed(Handle handle, String reference, Instant now) {
    handle.execute(
        "update machine_image set used = ? where reference = ?", now.toEpochMilli(), reference);
  }

  static void delete(Handle handle, String reference) {
    recordRestricted(handle, reference);
    handle.execute("delete from machine_image_reader where reference = ?", reference);
    handle.execute("delete from machine_image where reference = ?", reference);
  }

  /**
   * Returns whether the platform has a record of any name of an image, because it pulled, created
   * or used the image.
   */
  static boolean hasRecord(Handle handle, String imageId) {
    return handle
            .createQuery("select count(*) from machine_image where image_id = :id")
            .bind("id", imageId)
            .mapTo(Long.class)
            .one()
        > 0;
  }

  private static NodeImage image(ResultSet rows) throws SQLException {
    return new NodeImage(
        rows.getString("reference"),
        rows.getString("image_id"),
        NodeImage.Origin.valueOf(rows.getString("origin")),
        rows.getInt("restricted") != 0,
        rows.getString("maker"),
        Instant.ofEpochMilli(rows.getLong("used")));
  }
}
