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
 * Changes the key of all stored secrets.
 *
 * <ol>
 *   <li>A new key is on the disk, and nothing new is sealed with an older one.
 *   <li>All others are sealed anew, some hundred at a time.
 *   <li>Keys that nothing needs any more are forgotten.
 * </ol>
 *
 * If the server ends in between, every row has a key that is still there, and the next change does
 * what was left. Thread-safe; one at a time.
 */
public final class KeyRotation {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRotation.class);
  private static final int BATCH = 200;

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
   * What was done.
   *
   * @param key the name of the new key
   * @param unreadable jobs whose key is gone; they are left as they are
   */
  public record Report(String key, int resealed, int unreadable, int droppedKeys) {}

  private record Change(JobId job, SealedSecrets from, SealedSecrets to) {}

  /**
   * @param by who wants it
   */
  public synchronized Report rotate(Actor by) {
    String key = secrets.changeKey();
    LOG.info("{} changes the key of secrets to {}", by.userName(), key);
    db.write(
        handle -> {
          audit.record(handle, by, "secrets.rotate", "secrets", Map.of(), Map.of("key", key));
          return null;
        });
    int resealed = 0;
    int unreadable = 0;
    String after = "";
    while (true) {
      String behind = after;
      List<SecretStore.Row> rows = db.read(handle -> store.listOthers(handle, key, behind, BATCH));
      if (rows.isEmpty()) {
        break;
      }
      List<Change> changes = new ArrayList<>();
      for (SecretStore.Row row : rows) {
        try {
          SealedSecrets anew = secrets.reencrypt(row.owner(), row.job(), row.secrets());
          changes.add(new Change(row.job(), row.secrets(), anew));
        } catch (UnreadableSecretsException e) {
          LOG.warn("job {}: {}", row.job().value(), e.getMessage());
          unreadable++;
        }
      }
      resealed += db.<Integer>write(handle -> apply(handle, changes));
      after = rows.getLast().job().value();
    }
    LoginSecrets.Resealed logins = new LoginSecrets(secrets).reencrypt(db, key);
    resealed += logins.done();
    unreadable += logins.unreadable();
    Set<String> needed = new HashSet<>(db.read(store::keys));
    needed.addAll(db.read(LoginSecrets::keys));
    int dropped = ring.keepOnly(needed);
    LOG.info(
        "the key of secrets is {}: {} sealed anew, {} unreadable, {} keys forgotten",
        key,
        resealed,
        unreadable,
        dropped);
    return new Report(key, resealed, unreadable, dropped);
  }

  private int apply(org.jdbi.v3.core.Handle handle, List<Change> changes) {
    int done = 0;
    for (Change change : changes) {
      done += store.replace(handle, change.job(), change.from(), change.to()) ? 1 : 0;
    }
    return done;
  }
}
