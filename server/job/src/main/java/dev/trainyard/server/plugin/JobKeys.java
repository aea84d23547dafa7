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
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives the ssh keys of jobs from the job ID and a secret of the server. The secret is generated
 * when it is first needed. The keys are not stored. Therefore, if the server crashes while it
 * starts a gang, the remaining tasks get the same key after the restart. Thread-safe.
 */
public final class JobKeys {
  /**
   * Name of the file with the server's secret, which only the server can read. If the file is
   * missing, for example after a restore, a new secret is generated.
   */
  static final String FILE = "job-ssh-seed";

  private static final Logger LOG = LoggerFactory.getLogger(JobKeys.class);
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
      throw new IllegalStateException("HmacSHA256 is required of every Java platform", e);
    }
  }

  private synchronized byte[] seed() {
    Path file = data.resolve(FILE);
    try {
      if (Files.exists(file)) {
        Optional<byte[]> stored = parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (stored.isPresent()) {
          return stored.get();
        }
        LOG.warn(
            "{} is damaged and replaced; tasks of running jobs that start later get another key",
            file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] seed = new byte[SEED_BYTES];
    new SecureRandom().nextBytes(seed);
    data.writeDurably(FILE, HexFormat.of().formatHex(seed));
    return seed;
  }

  private static Optional<byte[]> parse(String text) {
    try {
      return Optional.of(HexFormat.of().parseHex(text.strip()))
          .filter(seed -> seed.length == SEED_BYTES);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
