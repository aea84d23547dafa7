package dev.trainyard.server.signup;

import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.UserNameRules;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Table of pending and rejected sign-ups. Every method runs in the caller's transaction. */
final class ApplicantStore {
  private ApplicantStore() {}

  static void insert(Handle handle, Applicant applicant) {
    handle
        .createUpdate(
            "insert into newcomer (id, name, name_key, password, email, display_name, language,"
                + " message, address, created, refused, word) values (:id, :name, :key,"
                + " :password, :email, :displayName, :language, :message, :address, :created, 0,"
                + " '')")
        .bind("id", applicant.id())
        .bind("name", applicant.name())
        .bind("key", UserNameRules.key(applicant.name()))
        .bind("password", applicant.passwordHash())
        .bind("email", applicant.profile().email())
        .bind("displayName", applicant.profile().displayName())
        .bind("language", applicant.profile().language())
        .bind("message", applicant.message())
        .bind("address", applicant.address())
        .bind("created", applicant.created().toEpochMilli())
        .execute();
  }

  static Optional<Applicant> findByKey(Handle handle, String key) {
    return handle
        .createQuery("select * from newcomer where name_key = :key")
        .bind("key", key)
        .map((rows, context) -> applicant(rows))
        .findOne();
  }

  static Optional<Applicant> find(Handle handle, String id) {
    return handle
        .createQuery("select * from newcomer where id = :id")
        .bind("id", id)
        .map((rows, context) -> applicant(rows))
        .findOne();
  }

  /** Returns pending sign-ups, oldest first. */
  static List<Applicant> list(Handle handle) {
    return handle
        .createQuery("select * from newcomer where refused = 0 order by id")
        .map((rows, context) -> applicant(rows))
        .list();
  }

  static int countPending(Handle handle) {
    return handle
        .createQuery("select count(*) from newcomer where refused = 0")
        .mapTo(Integer.class)
        .one();
  }

  static void reject(Handle handle, String id, String adminMessage, String decidedBy, Instant now) {
    handle.execute(
        "update newcomer set refused = 1, word = ?, decided = ?, decided_by = ? where id = ?",
        adminMessage,
        now.toEpochMilli(),
        decidedBy,
        id);
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from newcomer where id = ?", id);
  }

  /**
   * Deletes the rejected sign-up with the given name key, so that the applicant can sign up again,
   * and all sign-ups that were rejected before the given time.
   */
  static void deleteRejected(Handle handle, String key, Instant decidedBefore) {
    handle.execute(
        "delete from newcomer where refused = 1 and (name_key = ? or decided < ?)",
        key,
        decidedBefore.toEpochMilli());
  }

  private static Applicant applicant(ResultSet rows) throws SQLException {
    return new Applicant(
        rows.getString("id"),
        rows.getString("name"),
        rows.getString("password"),
        new Profile(
            rows.getString("email"),
            rows.getString("display_name"),
            rows.getString("language"),
            "{}"),
        rows.getString("message"),
        rows.getString("address"),
        Instant.ofEpochMilli(rows.getLong("created")),
        rows.getInt("refused") != 0,
        rows.getString("word"));
  }
}
