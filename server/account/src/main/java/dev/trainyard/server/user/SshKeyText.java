package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A public key in OpenSSH format: type, base64 data, comment. The input is validated strictly,
 * because the text is written to files that grant access: options, other key types, short keys and
 * trailing data are rejected.
 */
public record SshKeyText(String text, String comment, String fingerprint) {
  private static final int MAX_LENGTH = 8192;
  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_RSA_BITS = 16_384;
  private static final Map<String, Integer> POINT_LENGTHS =
      Map.of(
          "ecdsa-sha2-nistp256", 65,
          "ecdsa-sha2-nistp384", 97,
          "ecdsa-sha2-nistp521", 133);

  public static SshKeyText parse(String text) {
    String line = text.strip();
    if (line.contains("PRIVATE KEY")) {
      throw invalidKey(Message.of("error.ssh-key-private"));
    }
    if (line.length() > MAX_LENGTH || line.contains("\n") || line.contains("\r")) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    String[] parts = line.split("[ \\t]+", 3);
    if (parts.length < 2) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    byte[] blob;
    try {
      blob = Base64.getDecoder().decode(parts[1]);
    } catch (IllegalArgumentException e) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    check(parts[0], ByteBuffer.wrap(blob));
    return new SshKeyText(
        parts[0] + " " + Base64.getEncoder().encodeToString(blob),
        parts.length == 3 ? parts[2].strip() : "",
        fingerprint(blob));
  }

  private static void check(String type, ByteBuffer blob) {
    boolean valid = type.equals(new String(readField(blob), StandardCharsets.US_ASCII));
    if (valid && type.equals("ssh-ed25519")) {
      valid = readField(blob).length == 32;
    } else if (valid && type.equals("ssh-rsa")) {
      checkRsa(readField(blob), readField(blob));
    } else if (valid && POINT_LENGTHS.containsKey(type)) {
      String curve = new String(readField(blob), StandardCharsets.US_ASCII);
      byte[] point = readField(blob);
      valid =
          type.endsWith("-" + curve) && point.length == POINT_LENGTHS.get(type) && point[0] == 4;
    } else {
      valid = false;
    }
    if (!valid || blob.hasRemaining()) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
  }

  private static void checkRsa(byte[] exponent, byte[] modulus) {
    if (exponent.length == 0 || modulus.length == 0) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    int bits = new BigInteger(modulus).signum() < 0 ? 0 : new BigInteger(modulus).bitLength();
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
      throw invalidKey(Message.of("error.ssh-key-bits", "bits", bits).with("from", MIN_RSA_BITS));
    }
  }

  /** Reads the length of a field and then the field itself. */
  private static byte[] readField(ByteBuffer blob) {
    if (blob.remaining() < 4) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    int length = blob.getInt();
    if (length < 0 || length > blob.remaining()) {
      throw invalidKey(Message.of("error.ssh-key"));
    }
    byte[] field = new byte[length];
    blob.get(field);
    return field;
  }

  private static String fingerprint(byte[] blob) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(blob);
      return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static AppException invalidKey(Message message) {
    return new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-fields", "count", 1),
        List.of(Problem.at("key", message)));
  }
}
