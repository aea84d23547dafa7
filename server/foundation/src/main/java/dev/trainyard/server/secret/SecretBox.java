package dev.trainyard.server.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts data with AES-256-GCM and a random nonce per encryption. Additional authenticated data
 * binds a ciphertext to its owner and job: if it is copied to another owner or job, it cannot be
 * decrypted there. Thread-safe.
 */
final class SecretBox {
  static final int KEY_BYTES = 32;

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final byte VERSION = 1;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private SecretBox() {}

  static byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    RANDOM.nextBytes(key);
    return key;
  }

  /**
   * @param belongsTo identifies the owner of the data; decryption requires the same value
   */
  static String seal(byte[] key, String belongsTo, byte[] plaintext) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] ciphertext = cipher(Cipher.ENCRYPT_MODE, key, nonce, belongsTo).doFinal(plaintext);
      byte[] encoded = new byte[1 + NONCE_BYTES + ciphertext.length];
      encoded[0] = VERSION;
      System.arraycopy(nonce, 0, encoded, 1, NONCE_BYTES);
      System.arraycopy(ciphertext, 0, encoded, 1 + NONCE_BYTES, ciphertext.length);
      return Base64.getEncoder().encodeToString(encoded);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime does not support AES-GCM", e);
    }
  }

  /**
   * @throws UnreadableSecretsException if the data is damaged, or was encrypted with another key or
   *     for another owner
   */
  static byte[] open(byte[] key, String belongsTo, String sealed)
      throws UnreadableSecretsException {
    byte[] encoded;
    try {
      encoded = Base64.getDecoder().decode(sealed);
    } catch (IllegalArgumentException e) {
      throw new UnreadableSecretsException("they are damaged");
    }
    if (encoded.length < 1 + NONCE_BYTES + TAG_BITS / Byte.SIZE || encoded[0] != VERSION) {
      throw new UnreadableSecretsException("they are damaged or were written by a newer version");
    }
    byte[] nonce = Arrays.copyOfRange(encoded, 1, 1 + NONCE_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, key, nonce, belongsTo)
          .doFinal(encoded, 1 + NONCE_BYTES, encoded.length - 1 - NONCE_BYTES);
    } catch (AEADBadTagException e) {
      throw new UnreadableSecretsException("they are damaged or belong to another job");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime does not support AES-GCM", e);
    }
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce, String belongsTo)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(belongsTo.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
