package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.jobfile.Secrets;
import dev.trainyard.model.JobFormat;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.secret.SealedSecrets;
import dev.trainyard.server.secret.UnreadableSecretsException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The secrets that a task receives: OpenPAI's secrets file, and each script of the task that refers
 * to secrets, with the references replaced by the values. An instance exists only while tasks are
 * being started.
 */
final class TaskSecrets {
  static final TaskSecrets NONE = new TaskSecrets(Secrets.NONE);
  static final String SECRETS_FILE = "secrets.yaml";
  private static final String PRECOMMANDS_FILE = "runtime.d/" + SecretFiles.PRECOMMANDS;

  private final Secrets secrets;
  private final String document;

  TaskSecrets(Secrets secrets) {
    this.secrets = secrets;
    this.document = secrets.isEmpty() ? "" : secrets.document();
  }

  /**
   * Reads the secrets of a job from the database.
   *
   * @throws EngineException if the secrets cannot be decrypted
   */
  static TaskSecrets of(Job job, JobSecrets jobSecrets, RetryingDb retryingDb) {
    if (job.format() != JobFormat.OPENPAI_V2) {
      return NONE;
    }
    Optional<SealedSecrets> sealed = retryingDb.read(handle -> jobSecrets.find(handle, job.id()));
    if (sealed.isEmpty()) {
      return NONE;
    }
    try {
      return new TaskSecrets(jobSecrets.open(job.userId(), job.id(), sealed.get()));
    } catch (UnreadableSecretsException first) {
      // Reads the secrets again, because the encryption key may have been rotated after the first
      // read.
      Optional<SealedSecrets> rereadSecrets =
          retryingDb.read(handle -> jobSecrets.find(handle, job.id()));
      try {
        return new TaskSecrets(
            jobSecrets.open(job.userId(), job.id(), rereadSecrets.orElse(sealed.get())));
      } catch (UnreadableSecretsException e) {
        // Not a transient failure, because waiting does not restore a lost key.
        throw new EngineException(e.getMessage());
      }
    }
  }

  boolean isEmpty() {
    return secrets.isEmpty();
  }

  /** Replaces references to secrets with their values. Only the task may receive the result. */
  String resolve(String text) {
    return secrets.resolve(text);
  }

  SecretFiles of(TaskSpec task) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(SECRETS_FILE, document);
    put(files, SecretFiles.SCRIPT, task.script());
    put(files, SecretFiles.PRECOMMANDS, task.files().getOrDefault(PRECOMMANDS_FILE, ""));
    return new SecretFiles(files);
  }

  private void put(Map<String, String> files, String name, String text) {
    String resolved = secrets.resolve(text);
    if (!resolved.equals(text)) {
      files.put(name, resolved);
    }
  }
}
