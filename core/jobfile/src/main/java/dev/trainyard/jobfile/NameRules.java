package dev.trainyard.jobfile;

import java.util.regex.Pattern;

/** Trainyard's rules for names, which apply to all formats. */
final class NameRules {
  static final int MAX_ROLE_LENGTH = 128;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}");
  private static final Pattern ROLE = Pattern.compile("[A-Za-z0-9._~-]{1," + MAX_ROLE_LENGTH + "}");
  private static final Pattern PORT_LABEL = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final Pattern DEVICE_TYPE = Pattern.compile("[A-Za-z0-9 ._+/-]{0,64}");

  private static final Pattern IMAGE = Pattern.compile("[^\\s\\p{Cntrl}]+");

  /** Pattern of roles and port labels in OpenPAI v2: a valid name of a shell variable. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private NameRules() {}

  static boolean isImage(String text) {
    return IMAGE.matcher(text).matches();
  }

  static boolean isWord(String text, int limit) {
    return text.length() <= limit && WORD.matcher(text).matches();
  }

  /**
   * Returns whether a text is a valid name of a job or a virtual cluster. A tilde is not allowed
   * because {@code user~job} must stay unambiguous.
   */
  static boolean isName(String text) {
    return NAME.matcher(text).matches() && !isDots(text);
  }

  /**
   * Returns whether a text is a valid name of a role. A single dash is not allowed because it means
   * "the only role" in the API.
   */
  static boolean isRole(String text) {
    return ROLE.matcher(text).matches() && !isDots(text) && !text.equals("-");
  }

  /** Returns whether a text is a valid device type; an empty text means any type. */
  static boolean isDeviceType(String text) {
    return DEVICE_TYPE.matcher(text).matches();
  }

  static boolean isPortLabel(String text) {
    return PORT_LABEL.matcher(text).matches();
  }

  private static boolean isDots(String text) {
    return text.equals(".") || text.equals("..");
  }
}
