package dev.trainyard.server.plugin;

import dev.trainyard.model.JobId;
import dev.trainyard.server.config.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The ssh keys of jobs. They are not stored but follow from the job and one secret of the server's,
 * made when it is first needed: a server that was killed while it started a gang gives the rest of
 * the tasks the same key. Thread-safe.
 */
public final class JobKeys {
  /** For nobody but the server; without it, as after a restore, new keys are made. */
  static final String FILE = "job-ssh-seed";

  private static final int SEED_BYTES = 32;

  private final DataDirectory data;

  public JobKeys(Path data) {
    this.data = new DataDirectory(data);
  }

  JobKey of(JobId job) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(seed(), "HmacSHA256"));
      return new JobKey(mac.doFinal(job.value().getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private synchronized byte[] seed() {
    Path file = data.resolve(FILE);
    try {
      if (!Files.exists(file)) {
        byte[] seed = new byte[SEED_BYTES];
        new SecureRandom().nextBytes(seed);
        data.writePrivate(FILE, HexFormat.of().formatHex(seed));
      }
      return HexFormat.of().parseHex(Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
