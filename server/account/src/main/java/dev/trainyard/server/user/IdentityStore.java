package dev.trainyard.server.user;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Links between external identities and users. A user without a password can sign in only with a
 * linked identity. Every method runs in the caller's transaction.
 */
public final class IdentityStore {
  private IdentityStore() {}

  /**
   * An external identity.
   *
   * @param issuer the issuer that authenticates the user
   * @param subject stable ID of the user at the issuer
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

  /** Links an identity to a user; the identity must not be linked yet. */
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
