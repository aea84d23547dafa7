package dev.trainyard.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Texts that nobody but the task may see: it finds them in the directory {@value #DIRECTORY} of the
 * platform's files. An engine keeps them in memory, where no disk, no log, no process list and no
 * environment shows them, and they are gone with the task. Says nothing of them when printed.
 *
 * @see TaskStart
 */
public final class SecretFiles {
  public static final SecretFiles NONE = new SecretFiles(Map.of());

  /** Below {@code /usr/local/pai}. */
  public static final String DIRECTORY = "secrets";

  /** The one of this name is run in place of the script of the {@link TaskSpec}. */
  public static final String SCRIPT = "user.sh";

  /** The one of this name is run in place of the file {@code runtime.d/precommands.sh}. */
  public static final String PREPARATION = "precommands.sh";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

  private final Map<String, String> texts;

  /**
   * @param texts by the name of their file
   */
  public SecretFiles(Map<String, String> texts) {
    for (String name : texts.keySet()) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' can't be a file of secrets");
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
