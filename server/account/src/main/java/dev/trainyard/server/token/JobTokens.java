package dev.trainyard.server.token;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.config.DataDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens of tasks, one for each attempt of a job. A token is not stored, but derived from the
 * attempt and a key. Therefore a start that is repeated after a crash uses the same token, and a
 * job needs no row for its token. The caller must check, by the state of the job, whether a token
 * is still valid.
 */
public final class JobTokens {
  static final String PREFIX = "tyj_";
  private static final String KEY_FILE = "job-token-key";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final Pattern TOKEN_PATTERN =
      Pattern.compile(PREFIX + "([0-9A-Z]{26})_([0-9]{1,9})_([A-Za-z0-9_-]{43})");

  private final SecretKeySpec key;

  private JobTokens(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** Reads the key in the data directory, and creates it if it does not exist. */
  public static JobTokens open(DataDirectory directory) {
    if (!Files.exists(directory.resolve(KEY_FILE))) {
      byte[] bytes = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(bytes);
      directory.writeDurably(KEY_FILE, Base64.getEncoder().encodeToString(bytes) + "\n");
    }
    return parse(directory.read(KEY_FILE).strip())
        .map(JobTokens::new)
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.CONFLICT,
                    Message.of(
                        "config.job-token-key", "path", directory.resolve(KEY_FILE).toString())));
  }

  private static Optional<byte[]> parse(String text) {
    try {
      return Optional.of(Base64.getDecoder().decode(text)).filter(key -> key.length == KEY_BYTES);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The job and attempt that a token identifies. */
  public record Claim(JobId job, int attempt) {}

  public String of(JobId job, int attempt) {
    return PREFIX + job.value() + "_" + attempt + "_" + sign(job.value() + "_" + attempt);
  }

  /**
   * Returns the job and attempt of a token; empty if the token was not created by {@link #of} with
   * this key.
   */
  public Optional<Claim> verify(String token) {
    Matcher parts = TOKEN_PATTERN.matcher(token);
    if (!parts.matches() || !Ulid.isValid(parts.group(1))) {
      return Optional.empty();
    }
    byte[] expectedSignature = bytes(sign(parts.group(1) + "_" + parts.group(2)));
    // The comparison takes constant time, so that the response time does not reveal how many bytes
    // match.
    return MessageDigest.isEqual(expectedSignature, bytes(parts.group(3)))
        ? Optional.of(new Claim(new JobId(parts.group(1)), Integer.parseInt(parts.group(2))))
        : Optional.empty();
  }

  private String sign(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(bytes(text)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
