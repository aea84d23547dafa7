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
  private static final int BLOCK = 8;
  private static final int LINE = 70;

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
              text(out, "none");
              text(out, "none");
              text(out, "");
              out.writeInt(1);
              block(out, blob);
              block(out, secretPart());
            });
    String lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(body);
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
          text(out, TYPE);
          block(out, publicKey());
        });
  }

  private byte[] secretPart() {
    byte[] open = publicKey();
    byte[] both = Arrays.copyOf(seed, seed.length + open.length);
    System.arraycopy(open, 0, both, seed.length, open.length);
    byte[] part =
        bytes(
            out -> {
              // Two equal check integers show a reader that decryption succeeded; this key is not
              // encrypted.
              out.writeInt(0);
              out.writeInt(0);
              text(out, TYPE);
              block(out, open);
              block(out, both);
              text(out, "job");
            });
    byte[] padded = Arrays.copyOf(part, (part.length + BLOCK - 1) / BLOCK * BLOCK);
    for (int i = part.length; i < padded.length; i++) {
      padded[i] = (byte) (i - part.length + 1);
    }
    return padded;
  }

  private interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    block(out, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void block(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  @Override
  public String toString() {
    return "******";
  }
}
