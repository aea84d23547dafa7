package dev.trainyard.server.secret;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.crypto.spec.SecretKeySpec;

/**
 * The encryption keys in the file {@value #FILE} of the data directory. The newest key is used for
 * encryption, all keys for decryption. The ID of a key is a part of its hash, so that a damaged
 * line is detected. If the file is missing although encrypted secrets exist, it is not created
 * again, because this requires the decision of an administrator. Thread-safe.
 */
public final class KeyRing {
  public static final String FILE = DataDirectory.SECRET_KEYS;

  /** Content that an administrator writes into the file to continue without the lost keys. */
  static final String LOST_KEYS_ACCEPTED = "lost";

  private static final String FILE_HEADER =
      """
      # Encryption keys of the secrets in the database, newest last. Anyone who has these keys can
      # decrypt the secrets. Without the keys, the secrets are lost. Backups do not contain these
      # keys, so keep a copy.
      """;

  private static final int ID_LENGTH = 16;

  private final DataDirectory directory;
  private volatile List<Key> keys;

  /** An encryption key. */
  record Key(String id, SecretKeySpec secret) {
    static Key of(byte[] bytes) {
      return new Key(hash(bytes), new SecretKeySpec(bytes, "AES"));
    }

    private static String hash(byte[] bytes) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(bytes)).substring(0, ID_LENGTH);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    byte[] bytes() {
      return secret.getEncoded();
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private KeyRing(DataDirectory directory, List<Key> keys) {
    this.directory = directory;
    this.keys = List.copyOf(keys);
  }

  /**
   * @param keysNeeded returns whether there are secrets that need existing keys
   * @throws AppException if the file is damaged, readable by other accounts, or missing although
   *     its keys are needed; the message contains the remedy
   */
  public static KeyRing open(DataDirectory directory, BooleanSupplier keysNeeded) {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      if (keysNeeded.getAsBoolean()) {
        throw conflict(Message.of("config.secret-keys-lost", "path", file.toString()));
      }
      return createNew(directory);
    }
    try {
      checkPrivate(file);
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      return text.strip().equals(LOST_KEYS_ACCEPTED)
          ? createNew(directory)
          : new KeyRing(directory, parse(text, file));
    } catch (IOException e) {
      throw damaged(file, e.toString());
    }
  }

  private static KeyRing createNew(DataDirectory directory) {
    KeyRing ring = new KeyRing(directory, List.of());
    ring.add();
    return ring;
  }

  private static void checkPrivate(Path file) throws IOException {
    int groupAndOtherBits = 077;
    int mode = (Integer) Files.getAttribute(file, "unix:mode");
    Object owner = Files.getAttribute(file, "unix:uid");
    if ((mode & groupAndOtherBits) != 0
        || !owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      throw conflict(Message.of("config.secret-keys-open", "path", file.toString()));
    }
  }

  private static List<Key> parse(String text, Path file) {
    List<Key> parsedKeys = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        int lineNumber = number;
        parsedKeys.add(key(line.strip()).orElseThrow(() -> damaged(file, "line " + lineNumber)));
      }
    }
    if (parsedKeys.isEmpty()) {
      throw damaged(file, "no key");
    }
    return parsedKeys;
  }

  private static Optional<Key> key(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 2) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(words[1]);
      return Optional.of(Key.of(bytes))
          .filter(key -> bytes.length == SecretBox.KEY_BYTES && key.id().equals(words[0]));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the key that is used for encryption. */
  Key newest() {
    return keys.getLast();
  }

  Optional<Key> find(String id) {
    return keys.stream().filter(key -> key.id().equals(id)).findFirst();
  }

  /** Adds a new key and returns it after it is flushed to disk. */
  synchronized Key add() {
    List<Key> newKeys = new ArrayList<>(keys);
    newKeys.add(Key.of(SecretBox.newKey()));
    write(newKeys);
    return newest();
  }

  /**
   * Deletes all keys except the given keys and the newest key; returns the number of deleted keys.
   */
  synchronized int keepOnly(Set<String> ids) {
    List<Key> remainingKeys =
        keys.stream().filter(key -> key.equals(newest()) || ids.contains(key.id())).toList();
    int deletedCount = keys.size() - remainingKeys.size();
    if (deletedCount > 0) {
      write(remainingKeys);
    }
    return deletedCount;
  }

  private void write(List<Key> newKeys) {
    StringBuilder text = new StringBuilder(FILE_HEADER);
    for (Key key : newKeys) {
      text.append(key.id()).append(' ');
      text.append(Base64.getEncoder().encodeToString(key.bytes())).append('\n');
    }
    try {
      directory.writeDurably(FILE, text.toString());
    } catch (UncheckedIOException e) {
      throw new AppException(
          ErrorCode.INTERNAL,
          Message.of("config.secret-keys-unwritable", "path", directory.resolve(FILE).toString())
              .with("detail", e.getCause().toString()));
    }
    keys = List.copyOf(newKeys);
  }

  private static AppException damaged(Path file, String detail) {
    return conflict(
        Message.of("config.secret-keys-damaged", "path", file.toString()).with("detail", detail));
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }
}
