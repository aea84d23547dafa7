package dev.trainyard.server.user;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Which person outside is which user. A user without a password signs in only by one of these.
 * Every method is part of the caller's work.
 */
public final class Identities {
  private Identities() {}

  /**
   * A person, as somebody outside knows them.
   *
   * @param issuer who vouches
   * @param subject their own, lasting name of the person
   */
  public record Identity(String issuer, String subject) {}

  public static Optional<User> userOf(Handle handle, Identity identity) {
    return handle
        .createQuery(
            "select u.name from identity i join users u on u.id = i.user_id"
                + " where i.issuer = :issuer and i.subject = :subject")
        .bind("issuer", identity.issuer())
        .bind("subject", identity.subject())
        .mapTo(String.class)
        .findOne()
        .flatMap(name -> UserStore.find(handle, name));
  }

  /** To be called only for one that nobody has. */
  public static void link(Handle handle, Identity identity, String userId, Instant now) {
    handle.execute(
        "insert into identity (issuer, subject, user_id, created) values (?, ?, ?, ?)",
        identity.issuer(),
        identity.subject(),
        userId,
        now.toEpochMilli());
  }

  public static void unlink(Handle handle, Identity identity) {
    handle.execute(
        "delete from identity where issuer = ? and subject = ?",
        identity.issuer(),
        identity.subject());
  }

  public static List<Identity> of(Handle handle, String userId) {
    return handle
        .createQuery(
            "select issuer, subject from identity where user_id = :user order by issuer, subject")
        .bind("user", userId)
        .map((rows, _) -> new Identity(rows.getString("issuer"), rows.getString("subject")))
        .list();
  }
}
