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
 * a key that each start creates. The HMAC is computed with MessageDigest because loading Java's Mac
 * class would delay every command of the command line.
 */
public final class ServerProof {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final int BLOCK_LENGTH = 64;
  private static final int KEY_LENGTH = 32;

  private ServerProof() {}

  /** Returns a new key or challenge. */
  public static String random() {
    byte[] bytes = new byte[KEY_LENGTH];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns whether a text has the form of a key, a challenge or a proof. */
  public static boolean isWellFormed(String text) {
    return HEX.matcher(text).matches();
  }

  public static String of(String key, String challenge) {
    byte[] secret = HexFormat.of().parseHex(key);
    byte[] message = ("trainyard " + challenge).getBytes(StandardCharsets.US_ASCII);
    return HexFormat.of().formatHex(hash(pad(secret, 0x5c), hash(pad(secret, 0x36), message)));
  }

  /** Returns whether a proof is correct. Compares in constant time. */
  public static boolean isProof(String key, String challenge, String proof) {
    byte[] expected = of(key, challenge).getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, proof.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] pad(byte[] key, int padByte) {
    byte[] block = Arrays.copyOf(key, BLOCK_LENGTH);
    for (int i = 0; i < BLOCK_LENGTH; i++) {
      block[i] ^= (byte) padByte;
    }
    return block;
  }

  private static byte[] hash(byte[] prefix, byte[] message) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(prefix);
      return digest.digest(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
