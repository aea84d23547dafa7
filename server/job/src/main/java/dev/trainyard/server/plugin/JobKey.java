package dev.trainyard.server.plugin;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;

/** The ssh key that the tasks of one job share, in the OpenSSH formats. */
final class JobKey {
  private static final String TYPE = "ssh-ed25519";
  private static final String MAGIC = "openssh-key-v1\0";
  private static final int BLOCK_SIZE = 8;
  private static final int LINE_LENGTH = 70;

  private final byte[] seed;

  JobKey(byte[] seed) {
    this.seed = seed.clone();
  }

  /** Returns a line for an authorized_keys file. */
  String publicLine() {
    return TYPE + " " + Base64.getEncoder().encodeToString(publicBlob());
  }

  String privateFile() {
    byte[] blob = publicBlob();
    byte[] body =
        bytes(
            out -> {
              out.write(MAGIC.getBytes(StandardCharsets.US_ASCII));
              writeText(out, "none");
              writeText(out, "none");
              writeText(out, "");
              out.writeInt(1);
              writeBlock(out, blob);
              writeBlock(out, secretPart());
            });
    String lines = Base64.getMimeEncoder(LINE_LENGTH, new byte[] {'\n'}).encodeToString(body);
    return "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        + lines
        + "\n-----END OPENSSH PRIVATE KEY-----\n";
  }

  private byte[] publicKey() {
    return new Ed25519PrivateKeyParameters(seed).generatePublicKey().getEncoded();
  }

  private byte[] publicBlob() {
    return bytes(
        out -> {
          writeText(out, TYPE);
          writeBlock(out, publicKey());
        });
  }

  private byte[] secretPart() {
    byte[] publicKeyBytes = publicKey();
    byte[] keyPair = Arrays.copyOf(seed, seed.length + publicKeyBytes.length);
    System.arraycopy(publicKeyBytes, 0, keyPair, seed.length, publicKeyBytes.length);
    byte[] unpadded =
        bytes(
            out -> {
              // Two equal integers indicate to a reader that decryption succeeded. Any value is
              // valid, because this key is not encrypted.
              out.writeInt(0);
              out.writeInt(0);
              writeText(out, TYPE);
              writeBlock(out, publicKeyBytes);
              writeBlock(out, keyPair);
              writeText(out, "job");
            });
    byte[] padded =
        Arrays.copyOf(unpadded, (unpadded.length + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE);
    for (int i = unpadded.length; i < padded.length; i++) {
      padded[i] = (byte) (i - unpadded.length + 1);
    }
    return padded;
  }

  private interface ContentWriter {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(ContentWriter content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    writeBlock(out, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void writeBlock(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  @Override
  public String toString() {
    return "******";
  }
}
