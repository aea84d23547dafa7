package dev.trainyard.server.secret;

import dev.trainyard.server.db.Db;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passwords of registry logins, encrypted like the secrets of jobs. Thread-safe. */
public final class LoginSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(LoginSecrets.class);

  private final JobSecrets secrets;

  public LoginSecrets(JobSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * Runs a transaction that stores the result of {@link #seal}. The newest key does not change
   * until the transaction has ended.
   */
  public <T> T withStableKey(Supplier<T> transaction) {
    return secrets.withStableKey(transaction);
  }

  /**
   * @param login the ID of the login
   * @param registry the registry of the login; the password cannot be decrypted for another
   *     registry
   */
  public SealedSecrets seal(String login, String registry, String password) {
    return secrets.seal(belongsTo(login, registry), password.getBytes(StandardCharsets.UTF_8));
  }

  public String open(String login, String registry, SealedSecrets sealed)
      throws UnreadableSecretsException {
    return new String(secrets.decrypt(belongsTo(login, registry), sealed), StandardCharsets.UTF_8);
  }

  private static String belongsTo(String login, String registry) {
    return "trainyard registry login\n" + login + "\n" + registry;
  }

  record ReencryptionResult(int reencrypted, int unreadable) {}

  /** Re-encrypts all passwords that are encrypted with a key other than the given key. */
  ReencryptionResult reencrypt(Db db, String key) {
    List<LoginSecretStore.Row> rows =
        db.read(handle -> LoginSecretStore.listWithOtherKey(handle, key));
    int done = 0;
    int unreadable = 0;
    for (LoginSecretStore.Row row : rows) {
      try {
        SealedSecrets reencrypted =
            seal(row.id(), row.host(), open(row.id(), row.host(), row.sealed()));
        done += db.<Integer>write(handle -> LoginSecretStore.replace(handle, row, reencrypted));
      } catch (UnreadableSecretsException e) {
        LOG.warn("registry login {}: {}", row.id(), e.getMessage());
        unreadable++;
      }
    }
    return new ReencryptionResult(done, unreadable);
  }
}
