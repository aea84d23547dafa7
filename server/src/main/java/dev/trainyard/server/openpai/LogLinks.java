package dev.trainyard.server.openpai;

import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks the tokens in the addresses of logs, which are followed without a header: each
 * opens the logs of one task for a few minutes. The key is made anew at every start. Thread-safe.
 */
final class LogLinks {
  static final Duration LIFETIME = Duration.ofMinutes(10);
  private static final String ALGORITHM = "HmacSHA256";
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int LONGEST = 2_000;

  private final SecretKeySpec key;
  private final InstantSource clock;

  LogLinks(InstantSource clock) {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, ALGORITHM);
    this.clock = clock;
  }

  String token(TaskId task) {
    String said =
        "%d\n%s\n%d\n%d\n%s"
            .formatted(
                clock.instant().plus(LIFETIME).toEpochMilli(),
                task.job().value(),
                task.attempt(),
                task.index(),
                task.role());
    byte[] bytes = said.getBytes(StandardCharsets.UTF_8);
    return ENCODER.encodeToString(bytes) + "." + ENCODER.encodeToString(sign(bytes));
  }

  /** The task whose logs a token opens; empty if it opens none, or no longer. */
  Optional<TaskId> open(String token) {
    int dot = token.indexOf('.');
    if (dot < 0 || token.length() > LONGEST) {
      return Optional.empty();
    }
    byte[] said;
    byte[] signature;
    try {
      said = Base64.getUrlDecoder().decode(token.substring(0, dot));
      signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (!MessageDigest.isEqual(signature, sign(said))) {
      return Optional.empty();
    }
    String[] part = new String(said, StandardCharsets.UTF_8).split("\n", 5);
    if (clock.instant().isAfter(Instant.ofEpochMilli(Long.parseLong(part[0])))) {
      return Optional.empty();
    }
    return Optional.of(
        new TaskId(
            new JobId(part[1]), Integer.parseInt(part[2]), part[4], Integer.parseInt(part[3])));
  }

  private byte[] sign(byte[] said) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(said);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }
}
