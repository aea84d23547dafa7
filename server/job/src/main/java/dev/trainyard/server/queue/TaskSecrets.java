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
 * What a task is given of its job's secrets: OpenPAI's file of them, and each of its scripts that
 * names one, with the value in the name's place. Made for a start and forgotten with it.
 */
final class TaskSecrets {
  static final TaskSecrets NONE = new TaskSecrets(Secrets.NONE);
  static final String DOCUMENT = "secrets.yaml";
  private static final String PREPARATION = "runtime.d/" + SecretFiles.PREPARATION;

  private final Secrets secrets;
  private final String document;

  TaskSecrets(Secrets secrets) {
    this.secrets = secrets;
    this.document = secrets.isEmpty() ? "" : secrets.document();
  }

  /**
   * Of a job, from the database.
   *
   * @throws EngineException if they can't be opened
   */
  static TaskSecrets of(Job job, JobSecrets stored, RetryingDb retryingDb) {
    if (job.format() != JobFormat.OPENPAI_V2) {
      return NONE;
    }
    Optional<SealedSecrets> sealed = retryingDb.read(handle -> stored.find(handle, job.id()));
    if (sealed.isEmpty()) {
      return NONE;
    }
    try {
      return new TaskSecrets(stored.open(job.userId(), job.id(), sealed.get()));
    } catch (UnreadableSecretsException first) {
      // Their key may have been changed between the two: then they are there with another.
      Optional<SealedSecrets> again = retryingDb.read(handle -> stored.find(handle, job.id()));
      try {
        return new TaskSecrets(stored.open(job.userId(), job.id(), again.orElse(sealed.get())));
      } catch (UnreadableSecretsException e) {
        throw new EngineException(e.getMessage()); // a key that is lost is not found by waiting
      }
    }
  }

  boolean isEmpty() {
    return secrets.isEmpty();
  }

  /** A text with the values in the places of their names; for the task alone. */
  String reveal(String text) {
    return secrets.resolve(text);
  }

  SecretFiles of(TaskSpec task) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put(DOCUMENT, document);
    put(texts, SecretFiles.SCRIPT, task.script());
    put(texts, SecretFiles.PREPARATION, task.files().getOrDefault(PREPARATION, ""));
    return new SecretFiles(texts);
  }

  private void put(Map<String, String> texts, String name, String text) {
    String resolved = secrets.resolve(text);
    if (!resolved.equals(text)) {
      texts.put(name, resolved);
    }
  }
}
