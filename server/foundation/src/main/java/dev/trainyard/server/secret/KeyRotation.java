package dev.trainyard.server.secret;

import dev.trainyard.model.JobId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rotates the encryption key of all stored secrets.
 *
 * <ol>
 *   <li>A new key is written to disk. From then on, nothing is encrypted with an older key.
 *   <li>All existing secrets are re-encrypted, in batches.
 *   <li>Keys that are no longer needed are deleted.
 * </ol>
 *
 * If the server process ends during a rotation, the keys of all secrets still exist, and the next
 * rotation re-encrypts the remaining secrets. Thread-safe; only one rotation runs at a time.
 */
public final class KeyRotation {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRotation.class);
  private static final int BATCH_SIZE = 200;

  private final Db db;
  private final KeyRing ring;
  private final JobSecrets secrets;
  private final SecretStore store = new SecretStore();
  private final Audit audit;

  public KeyRotation(Db db, KeyRing ring, JobSecrets secrets, InstantSource clock) {
    this.audit = new Audit(clock);
    this.db = db;
    this.ring = ring;
    this.secrets = secrets;
  }

  /**
   * Result of a rotation.
   *
   * @param key the ID of the new key
   * @param reencrypted number of secrets that were re-encrypted
   * @param unreadable number of secrets that could not be decrypted and are unchanged
   * @param deletedKeys number of deleted keys
   */
  public record Report(String key, int reencrypted, int unreadable, int deletedKeys) {}

  private record Change(JobId job, SealedSecrets from, SealedSecrets to) {}

  /**
   * Rotates the key.
   *
   * @param actor the actor who requested the rotation
   */
  public synchronized Report rotate(Actor actor) {
    String key = secrets.changeKey();
    LOG.info("{} is rotating the encryption key; the new key is {}", actor.userName(), key);
    db.write(
        handle -> {
          audit.record(handle, actor, "secrets.rotate", "secrets", Map.of(), Map.of("key", key));
          return null;
        });
    int reencryptedCount = 0;
    int unreadable = 0;
    String after = "";
    while (true) {
      String afterJob = after;
      List<SecretStore.Row> rows =
          db.read(handle -> store.listWithOtherKey(handle, key, afterJob, BATCH_SIZE));
      if (rows.isEmpty()) {
        break;
      }
      List<Change> changes = new ArrayList<>();
      for (SecretStore.Row row : rows) {
        try {
          SealedSecrets reencrypted = secrets.reencrypt(row.owner(), row.job(), row.secrets());
          changes.add(new Change(row.job(), row.secrets(), reencrypted));
        } catch (UnreadableSecretsException e) {
          LOG.warn("job {}: {}", row.job().value(), e.getMessage());
          unreadable++;
        }
      }
      reencryptedCount += db.<Integer>write(handle -> apply(handle, changes));
      after = rows.getLast().job().value();
    }
    LoginSecrets.ReencryptionResult logins = new LoginSecrets(secrets).reencrypt(db, key);
    reencryptedCount += logins.reencrypted();
    unreadable += logins.unreadable();
    Set<String> keysInUse = new HashSet<>(db.read(store::keys));
    keysInUse.addAll(db.read(LoginSecretStore::keys));
    int deletedKeys = ring.keepOnly(keysInUse);
    LOG.info(
        "rotated the encryption key to {}: {} secrets re-encrypted, {} unreadable, {} keys deleted",
        key,
        reencryptedCount,
        unreadable,
        deletedKeys);
    return new Report(key, reencryptedCount, unreadable, deletedKeys);
  }

  private int apply(org.jdbi.v3.core.Handle handle, List<Change> changes) {
    int replacedCount = 0;
    for (Change change : changes) {
      replacedCount += store.replace(handle, change.job(), change.from(), change.to()) ? 1 : 0;
    }
    return replacedCount;
  }
}
