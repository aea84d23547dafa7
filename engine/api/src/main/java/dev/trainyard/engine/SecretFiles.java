package dev.trainyard.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Files that only the task can read, in the directory {@value #DIRECTORY} of the platform's files.
 * An engine keeps them in memory, so that they never appear on a disk, in a log, in a process list
 * or in an environment, and deletes them with the task. The string representation contains neither
 * names nor contents.
 *
 * @see TaskStart
 */
public final class SecretFiles {
  public static final SecretFiles NONE = new SecretFiles(Map.of());

  /** Directory of the files, relative to {@code /usr/local/pai}. */
  public static final String DIRECTORY = "secrets";

  /** A file with this name is run instead of the script of the {@link TaskSpec}. */
  public static final String SCRIPT = "user.sh";

  /** A file with this name is run instead of the file {@code runtime.d/precommands.sh}. */
  public static final String PREPARATION = "precommands.sh";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

  private final Map<String, String> texts;

  /**
   * @param texts contents by file name
   */
  public SecretFiles(Map<String, String> texts) {
    for (String name : texts.keySet()) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is not a valid name of a secret file");
      }
    }
    this.texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
  }

  public Map<String, String> texts() {
    return texts;
  }

  public boolean isEmpty() {
    return texts.isEmpty();
  }

  public boolean has(String name) {
    return texts.containsKey(name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SecretFiles files && files.texts.equals(texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return "******";
  }
}
