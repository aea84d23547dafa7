package dev.trainyard.server.oidc;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Which person of which provider is which user. Every method is part of the caller's work. */
final class Identities {
  private Identities() {}

  /** The name of the user. */
  static Optional<String> userOf(Handle handle, String issuer, String subject) {
    return handle
        .createQuery(
            "select u.name from oidc_identity i join users u on u.id = i.user_id"
                + " where i.issuer = :issuer and i.subject = :subject")
        .bind("issuer", issuer)
        .bind("subject", subject)
        .mapTo(String.class)
        .findOne();
  }

  static void link(Handle handle, String issuer, String subject, String userId, Instant now) {
    handle.execute(
        "insert into oidc_identity (issuer, subject, user_id, created) values (?, ?, ?, ?)",
        issuer,
        subject,
        userId,
        now.toEpochMilli());
  }

  static boolean unlink(Handle handle, String userId) {
    return handle.execute("delete from oidc_identity where user_id = ?", userId) > 0;
  }

  static List<String> subjects(Handle handle, String issuer, String userId) {
    return handle
        .createQuery(
            "select subject from oidc_identity where issuer = :issuer and user_id = :user"
                + " order by subject")
        .bind("issuer", issuer)
        .bind("user", userId)
        .mapTo(String.class)
        .list();
  }
}
