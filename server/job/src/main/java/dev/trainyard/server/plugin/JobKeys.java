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
 * The ssh keys of jobs. They are not stored but follow from the job and one secret of the server's,
 * made when it is first needed: a server that was killed while it started a gang gives the rest of
 * the tasks the same key. Thread-safe.
 */
public final class JobKeys {
  /** For nobody but the server; without it, as after a restore, new keys are made. */
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
      throw new IllegalStateException("every Java has HmacSHA256", e);
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
        LOG.warn("{} is damaged and made anew: running jobs' later tasks get another key", file);
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
