package dev.trainyard.model;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Proof that a server is the server that wrote the data directory: HMAC-SHA256 over a challenge,
 * with a key that is created at each start. The HMAC is computed with MessageDigest because loading
 * Java's Mac class would delay every command of the command line.
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

  /** Returns the proof for clients that do not know {@link #of(String, String, String)} yet. */
  public static String of(String key, String challenge) {
    return hmac(key, "trainyard " + challenge);
  }

  /**
   * Returns a proof that is bound to the address at which the server received the challenge, so
   * that a program that listens at another address cannot pass on the challenge and the proof.
   */
  public static String of(String key, String challenge, String address) {
    return hmac(key, "trainyard " + challenge + " " + address);
  }

  /** Returns whether a proof without an address is correct. Compares in constant time. */
  public static boolean isProof(String key, String challenge, String proof) {
    return isEqual(of(key, challenge), proof);
  }

  /** Returns whether a proof for this address is correct. Compares in constant time. */
  public static boolean isProof(String key, String challenge, String address, String proof) {
    return isEqual(of(key, challenge, address), proof);
  }

  private static boolean isEqual(String expected, String proof) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), proof.getBytes(StandardCharsets.UTF_8));
  }

  private static String hmac(String key, String text) {
    byte[] secret = HexFormat.of().parseHex(key);
    byte[] message = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(hash(pad(secret, 0x5c), hash(pad(secret, 0x36), message)));
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
