package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import dev.trainyard.server.work.WorkPools;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Hashes passwords with Argon2id and the parameters recommended by OWASP. Hashes are stored in the
 * PHC string format, which includes the parameters, so that these can change without invalidating
 * old hashes. Each computation needs 19 MB, so only a few run at a time. Thread-safe.
 */
public final class Passwords {
  private static final int MIN_LENGTH = 8;
  private static final int MAX_BYTES = 1024;
  private static final int MEMORY_KB = 19_456;
  private static final int PASSES = 2;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final Pattern PHC =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})"
              + "\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
  private static final String ALPHABET = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
  private static final int GENERATED_LENGTH = 20;

  private final int memory;
  private final int passes;
  private final SecureRandom random = new SecureRandom();

  public Passwords() {
    this(MEMORY_KB, PASSES);
  }

  /**
   * @param memory memory of a computation, in kilobytes
   */
  public Passwords(int memory, int passes) {
    this.memory = memory;
    this.passes = passes;
  }

  /** Returns the reason why a new password is rejected; empty if it is accepted. */
  public static Optional<Message> problem(String password) {
    if (password.codePointCount(0, password.length()) < MIN_LENGTH) {
      return Optional.of(Message.of("error.password-short", "shortest", MIN_LENGTH));
    }
    if (password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return Optional.of(Message.of("error.password-long", "most", MAX_BYTES));
    }
    return Optional.empty();
  }

  /** Generates a password that is hard to guess and easy to type. */
  public String generate() {
    StringBuilder password = new StringBuilder();
    for (int i = 0; i < GENERATED_LENGTH; i++) {
      password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return password.toString();
  }

  public String hash(String password) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    byte[] hash = argon2(password, salt, memory, passes, 1, HASH_BYTES);
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"
        .formatted(memory, passes, base64.encodeToString(salt), base64.encodeToString(hash));
  }

  /**
   * Returns whether the password matches. Without a stored hash, returns false after the same
   * amount of time, so that the response time does not reveal which users exist.
   */
  public boolean verify(String password, Optional<String> storedHash) {
    if (password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return false;
    }
    if (storedHash.isEmpty()) {
      byte[] ignoredHash = argon2(password, new byte[SALT_BYTES], memory, passes, 1, HASH_BYTES);
      return ignoredHash.length == 0;
    }
    Matcher phc = PHC.matcher(storedHash.get());
    if (!phc.matches()) {
      throw new IllegalStateException("invalid stored password hash");
    }
    byte[] salt = Base64.getDecoder().decode(phc.group(4));
    byte[] expected = Base64.getDecoder().decode(phc.group(5));
    byte[] actual =
        argon2(
            password,
            salt,
            Integer.parseInt(phc.group(1)),
            Integer.parseInt(phc.group(2)),
            Integer.parseInt(phc.group(3)),
            expected.length);
    return MessageDigest.isEqual(expected, actual);
  }

  private byte[] argon2(
      String password, byte[] salt, int memoryKb, int rounds, int lanes, int length) {
    Argon2Parameters parameters =
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memoryKb)
            .withIterations(rounds)
            .withParallelism(lanes)
            .withSalt(salt)
            .build();
    return WorkPools.HASHING.run(
        () -> {
          Argon2BytesGenerator generator = new Argon2BytesGenerator();
          generator.init(parameters);
          byte[] hash = new byte[length];
          generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
          return hash;
        });
  }
}
