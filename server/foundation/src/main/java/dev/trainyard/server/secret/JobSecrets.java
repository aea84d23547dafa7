package dev.trainyard.server.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.jobfile.Secrets;
import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.StoredJsonMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encrypts and decrypts the secrets of jobs. Thread-safe. */
public final class JobSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(JobSecrets.class);
  private static final JsonMapper JSON = StoredJsonMapper.builder().build();

  private final KeyRing ring;
  private final SecretStore store = new SecretStore();

  /**
   * Transactions that store secrets hold the read lock. Changing the key acquires the write lock,
   * and therefore waits for these transactions.
   */
  private final ReadWriteLock keyLock = new ReentrantReadWriteLock();

  public JobSecrets(KeyRing ring) {
    this.ring = ring;
  }

  /** Returns whether the database contains secrets, which cannot be read without their keys. */
  public static boolean exist(Db db) {
    return !db.read(new SecretStore()::keys).isEmpty()
        || !db.read(LoginSecretStore::keys).isEmpty();
  }

  /**
   * Logs which keys are missing. Jobs whose keys are missing report this themselves when they
   * start.
   */
  public JobSecrets warnAboutMissingKeys(Db db) {
    var missing = new TreeSet<>(db.read(store::keys));
    missing.removeIf(key -> ring.find(key).isPresent());
    if (!missing.isEmpty()) {
      LOG.warn(
          "some jobs have secrets encrypted with keys that are missing in the file {}: {}",
          KeyRing.FILE,
          missing);
    }
    return this;
  }

  /**
   * Runs a transaction that calls {@link #insert}. The newest key does not change until the
   * transaction has ended.
   */
  public <T> T withStableKey(Supplier<T> transaction) {
    keyLock.readLock().lock();
    try {
      return transaction.get();
    } finally {
      keyLock.readLock().unlock();
    }
  }

  /** Stores the secrets in the transaction that stores the job. */
  public void insert(Handle handle, String owner, JobId job, Secrets secrets) {
    if (!secrets.isEmpty()) {
      store.insert(handle, job, seal(owner, job, toJson(secrets)));
    }
  }

  public Optional<SealedSecrets> find(Handle handle, JobId job) {
    return store.find(handle, job);
  }

  /**
   * Decrypts the secrets. The result must be passed only to tasks of this job.
   *
   * @param owner the ID of the owner of the job
   */
  public Secrets open(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    try {
      return new Secrets(JSON.readValue(decrypt(owner, job, sealed), new TypeReference<>() {}));
    } catch (IOException e) {
      // The message of the cause would quote the secrets.
      throw new UnreadableSecretsException("they were written by an incompatible version");
    }
  }

  /** Decrypts the secrets and encrypts them with the newest key. */
  SealedSecrets reencrypt(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    return seal(owner, job, decrypt(owner, job, sealed));
  }

  /** Creates a new key. After this method returns, no secret is encrypted with an older key. */
  String changeKey() {
    keyLock.writeLock().lock();
    try {
      return ring.add().id();
    } finally {
      keyLock.writeLock().unlock();
    }
  }

  private SealedSecrets seal(String owner, JobId job, byte[] plaintext) {
    return seal(belongsTo(owner, job), plaintext);
  }

  private byte[] decrypt(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    return decrypt(belongsTo(owner, job), sealed);
  }

  /** Encrypts data and binds it to its owner; must be called within {@link #withStableKey}. */
  SealedSecrets seal(String belongsTo, byte[] plaintext) {
    KeyRing.Key key = ring.newest();
    return new SealedSecrets(key.id(), SecretBox.seal(key.bytes(), belongsTo, plaintext));
  }

  byte[] decrypt(String belongsTo, SealedSecrets sealed) throws UnreadableSecretsException {
    KeyRing.Key key =
        ring.find(sealed.key())
            .orElseThrow(
                () ->
                    new UnreadableSecretsException(
                        "the key "
                            + sealed.key()
                            + " is not in the server's file "
                            + KeyRing.FILE));
    return SecretBox.open(key.bytes(), belongsTo, sealed.sealed());
  }

  private static String belongsTo(String owner, JobId job) {
    return "trainyard job secrets\n" + owner + "\n" + job.value();
  }

  private static byte[] toJson(Secrets secrets) {
    try {
      Map<String, Object> values = secrets.values();
      return JSON.writeValueAsBytes(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("failed to serialize secrets");
    }
  }
}
