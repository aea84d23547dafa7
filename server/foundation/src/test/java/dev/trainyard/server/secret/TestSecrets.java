package dev.trainyard.server.secret;

import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.db.TemporaryDirectory;

/** Secrets with a key that is deleted after the test. */
public final class TestSecrets {
  private TestSecrets() {}

  public static JobSecrets create() {
    return new JobSecrets(ring());
  }

  static KeyRing ring() {
    return KeyRing.open(new DataDirectory(TemporaryDirectory.create()), () -> false);
  }
}
