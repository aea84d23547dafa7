package dev.trainyard.server.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.jobfile.Secrets;
import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
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

/** What jobs keep secret, on its way into the database and out of it. Thread-safe. */
public final class JobSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(JobSecrets.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final KeyRing ring;
  private final SecretStore store = new SecretStore();

  /** Many store secrets at once; who changes keys waits for them and keeps others waiting. */
  private final ReadWriteLock keys = new ReentrantReadWriteLock();

  public JobSecrets(KeyRing ring) {
    this.ring = ring;
  }

  /** Whether there are any, so that their keys must be there too. */
  public static boolean exist(Db db) {
    return !db.read(new SecretStore()::keys).isEmpty() || !db.read(LoginSecrets::keys).isEmpty();
  }

  /** Tells the log which keys are missing; the jobs concerned say it themselves when they start. */
  public JobSecrets checked(Db db) {
    var missing = new TreeSet<>(db.read(store::keys));
    missing.removeIf(key -> ring.find(key).isPresent());
    if (!missing.isEmpty()) {
      LOG.warn(
          "some jobs have secrets sealed with keys that are not in the file {}: {}",
          KeyRing.FILE,
          missing);
    }
    return this;
  }

  /**
   * Runs a transaction that calls {@link #insert}, to its end: until then the key it uses is kept.
   */
  public <T> T storing(Supplier<T> transaction) {
    keys.readLock().lock();
    try {
      return transaction.get();
    } finally {
      keys.readLock().unlock();
    }
  }

  /** With the job, in its transaction. */
  public void insert(Handle handle, String owner, JobId job, Secrets secrets) {
    if (!secrets.isEmpty()) {
      store.insert(handle, job, seal(owner, job, bytes(secrets)));
    }
  }

  public Optional<SealedSecrets> find(Handle handle, JobId job) {
    return store.find(handle, job);
  }

  /**
   * To be handed to a task of this job and to nobody else.
   *
   * @param owner the id of the user whose job it is
   */
  public Secrets open(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    try {
      return new Secrets(JSON.readValue(bytes(owner, job, sealed), new TypeReference<>() {}));
    } catch (IOException e) {
      // Its message would quote what it could not read.
      throw new UnreadableSecretsException("they are of another version");
    }
  }

  /** The same with the newest key. */
  SealedSecrets reencrypt(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    return seal(owner, job, bytes(owner, job, sealed));
  }

  /** Makes a new key; when this returns, nothing is stored with an older one any more. */
  String changeKey() {
    keys.writeLock().lock();
    try {
      return ring.add().id();
    } finally {
      keys.writeLock().unlock();
    }
  }

  private SealedSecrets seal(String owner, JobId job, byte[] text) {
    return seal(belongsTo(owner, job), text);
  }

  private byte[] bytes(String owner, JobId job, SealedSecrets sealed)
      throws UnreadableSecretsException {
    return bytes(belongsTo(owner, job), sealed);
  }

  /** Anything that is bound to what it belongs to; to be called within {@link #storing}. */
  SealedSecrets seal(String belongsTo, byte[] text) {
    KeyRing.Key key = ring.newest();
    return new SealedSecrets(key.id(), SecretBox.seal(key.bytes(), belongsTo, text));
  }

  byte[] bytes(String belongsTo, SealedSecrets sealed) throws UnreadableSecretsException {
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

  private static byte[] bytes(Secrets secrets) {
    try {
      Map<String, Object> values = secrets.values();
      return JSON.writeValueAsBytes(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("secrets that are no plain values");
    }
  }
}
