package dev.trainyard.model;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Proof that a server is the one that wrote the data directory: HMAC-SHA256 over a challenge, with
 * a key that each start creates. Computed with MessageDigest because loading Java's Mac takes
 * longer than a command of the command line should.
 */
public final class ServerProof {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final int BLOCK = 64;
  private static final int LENGTH = 32;

  private ServerProof() {}

  /** Returns a new key or challenge. */
  public static String random() {
    byte[] bytes = new byte[LENGTH];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns whether a text is well-formed as a key, a challenge or a proof. */
  public static boolean isWellFormed(String text) {
    return HEX.matcher(text).matches();
  }

  public static String of(String key, String challenge) {
    byte[] secret = HexFormat.of().parseHex(key);
    byte[] message = ("trainyard " + challenge).getBytes(StandardCharsets.US_ASCII);
    return HexFormat.of()
        .formatHex(hash(padded(secret, 0x5c), hash(padded(secret, 0x36), message)));
  }

  /** Compares in constant time. */
  public static boolean isProof(String key, String challenge, String proof) {
    byte[] expected = of(key, challenge).getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, proof.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] padded(byte[] key, int pad) {
    byte[] block = Arrays.copyOf(key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= (byte) pad;
    }
    return block;
  }

  private static byte[] hash(byte[] first, byte[] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(first);
      return digest.digest(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
