package dev.trainyard.server.secret;

import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** SQL statements for the encrypted passwords of registry logins. */
final class LoginSecretStore {
  private LoginSecretStore() {}

  record Row(String id, String host, SealedSecrets sealed) {}

  /** Returns the IDs of the keys in use. */
  static Set<String> keys(Handle handle) {
    return Set.copyOf(
        handle
            .createQuery("select distinct key_id from registry_login")
            .mapTo(String.class)
            .list());
  }

  /** Returns the passwords that are encrypted with a key other than the given key. */
  static List<Row> listWithOtherKey(Handle handle, String key) {
    return handle
        .createQuery("select id, host, key_id, sealed from registry_login where key_id <> :key")
        .bind("key", key)
        .map(
            (rows, _) ->
                new Row(
                    rows.getString(1),
                    rows.getString(2),
                    new SealedSecrets(rows.getString(3), rows.getString(4))))
        .list();
  }

  static int replace(Handle handle, Row row, SealedSecrets reencrypted) {
    return handle.execute(
        "update registry_login set key_id = ?, sealed = ? where id = ? and sealed = ?",
        reencrypted.key(),
        reencrypted.sealed(),
        row.id(),
        row.sealed().sealed());
  }
}
