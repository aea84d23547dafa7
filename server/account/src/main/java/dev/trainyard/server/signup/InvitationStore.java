package dev.trainyard.server.signup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.trainyard.server.http.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Table of invitation codes. Every method runs in the caller's transaction. */
final class InvitationStore {
  private static final TypeReference<List<String>> STRING_LIST = new TypeReference<>() {};

  private InvitationStore() {}

  static void insert(Handle handle, String hash, Invitation invitation) {
    handle
        .createUpdate(
            "insert into invitation (id, hash, note, group_names, uses, uses_left, created,"
                + " created_by, expires, revoked) values (:id, :hash, :note, :groups, :uses,"
                + " :uses, :created, :createdBy, :expires, 0)")
        .bind("id", invitation.id())
        .bind("hash", hash)
        .bind("note", invitation.note())
        .bind("groups", json(invitation.groups()))
        .bind("uses", invitation.uses())
        .bind("created", invitation.created().toEpochMilli())
        .bind("createdBy", invitation.createdBy())
        .bind("expires", invitation.expires().map(Instant::toEpochMilli).orElse(null))
        .execute();
  }

  /**
   * Consumes one use of a valid invitation; returns empty if the invitation is not usable. The
   * update is atomic, so that if two concurrent sign-ups try to consume the last use, only one
   * succeeds.
   */
  static Optional<Invitation> use(Handle handle, String hash, Instant now) {
    int updatedRows =
        handle.execute(
            "update invitation set uses_left = uses_left - 1 where hash = ? and uses_left > 0"
                + " and revoked = 0 and (expires is null or expires > ?)",
            hash,
            now.toEpochMilli());
    return updatedRows == 0
        ? Optional.empty()
        : handle
            .createQuery("select * from invitation where hash = :hash")
            .bind("hash", hash)
            .map((rows, context) -> invitation(rows))
            .findOne();
  }

  /** Returns whether {@link #use} would succeed now. */
  static boolean isUsable(Handle handle, String hash, Instant now) {
    return handle
        .createQuery(
            "select 1 from invitation where hash = :hash and uses_left > 0 and revoked = 0"
                + " and (expires is null or expires > :now)")
        .bind("hash", hash)
        .bind("now", now.toEpochMilli())
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  static List<Invitation> list(Handle handle) {
    return handle
        .createQuery("select * from invitation order by id desc")
        .map((rows, context) -> invitation(rows))
        .list();
  }

  /** Revokes an invitation; returns false if it does not exist or was already revoked. */
  static boolean revoke(Handle handle, String id) {
    return handle.execute("update invitation set revoked = 1 where id = ? and revoked = 0", id) > 0;
  }

  private static String json(List<String> names) {
    try {
      return Json.MAPPER.writeValueAsString(names);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Invitation invitation(ResultSet rows) throws SQLException {
    long expires = rows.getLong("expires");
    Optional<Instant> expiry =
        rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(expires));
    try {
      return new Invitation(
          rows.getString("id"),
          rows.getString("note"),
          Json.MAPPER.readValue(rows.getString("group_names"), STRING_LIST),
          rows.getInt("uses"),
          rows.getInt("uses_left"),
          Instant.ofEpochMilli(rows.getLong("created")),
          rows.getString("created_by"),
          expiry,
          rows.getInt("revoked") != 0);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("invalid stored groups of an invitation", e);
    }
  }
}
