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
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Creates and verifies the tokens in log URLs, because clients request these URLs without an
 * Authorization header. A token grants access to the logs of one run of a task for a few minutes,
 * and only if the user who received the token has not been deleted or disabled. The signing key is
 * generated at every start. Thread-safe.
 */
final class LogLinks {
  static final Duration LIFETIME = Duration.ofMinutes(10);
  private static final String ALGORITHM = "HmacSHA256";
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int MAX_TOKEN_LENGTH = 2_000;

  private final SecretKeySpec key;
  private final Predicate<Holder> mayStillRead;
  private final InstantSource clock;

  /** The user who received a URL. */
  record Holder(String userId, String userName) {}

  /** Permission of a user, who received the URL, to read the logs of one run of a task. */
  record Grant(TaskId task, Holder holder) {}

  /**
   * @param mayStillRead returns whether the account of a user still exists and is enabled
   */
  LogLinks(Predicate<Holder> mayStillRead, InstantSource clock) {
    this.mayStillRead = mayStillRead;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, ALGORITHM);
    this.clock = clock;
  }

  String token(TaskId task, Holder holder) {
    String payload =
        "%d\n%s\n%s\n%s\n%d\n%d\n%d\n%s"
            .formatted(
                clock.instant().plus(LIFETIME).toEpochMilli(),
                holder.userId(),
                holder.userName(),
                task.job().value(),
                task.attempt(),
                task.index(),
                task.retry(),
                task.role());
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    return ENCODER.encodeToString(bytes) + "." + ENCODER.encodeToString(sign(bytes));
  }

  /**
   * Returns the permission that a token grants; empty if the token is invalid or expired, or if its
   * user is no longer enabled.
   */
  Optional<Grant> open(String token) {
    int dot = token.indexOf('.');
    if (dot < 0 || token.length() > MAX_TOKEN_LENGTH) {
      return Optional.empty();
    }
    byte[] payload;
    byte[] signature;
    try {
      payload = Base64.getUrlDecoder().decode(token.substring(0, dot));
      signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (!MessageDigest.isEqual(signature, sign(payload))) {
      return Optional.empty();
    }
    String[] fields = new String(payload, StandardCharsets.UTF_8).split("\n", 8);
    if (clock.instant().isAfter(Instant.ofEpochMilli(Long.parseLong(fields[0])))) {
      return Optional.empty();
    }
    Holder holder = new Holder(fields[1], fields[2]);
    if (!mayRead(holder)) {
      return Optional.empty();
    }
    TaskId task =
        new TaskId(
            new JobId(fields[3]),
            Integer.parseInt(fields[4]),
            fields[7],
            Integer.parseInt(fields[5]),
            Integer.parseInt(fields[6]));
    return Optional.of(new Grant(task, holder));
  }

  /** Returns whether the account of a user still exists and is enabled. */
  boolean mayRead(Holder holder) {
    return mayStillRead.test(holder);
  }

  private byte[] sign(byte[] payload) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(payload);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }
}
