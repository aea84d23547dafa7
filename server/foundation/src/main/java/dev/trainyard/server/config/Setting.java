package dev.trainyard.server.config;

import dev.trainyard.model.Message;
import java.util.Locale;
import java.util.function.Function;

/**
 * Declaration of a setting. Its description is the message {@code config.setting.NAME}.
 *
 * @param name name of the option without its dashes, and key in the settings file
 * @param parser parses the text of a value; throws IllegalArgumentException for invalid text
 * @param expected code of the message that describes valid values
 */
public record Setting<T>(
    String name, String defaultText, Function<String, T> parser, String expected) {

  /** Message code for a setting that is on or off. */
  static final String FLAG = "config.expected.flag";

  /** Message code for a list of URLs, separated by commas. */
  static final String WEB_ADDRESSES = "config.expected.public-url";

  /**
   * Returns whether the option may be repeated. The values of a repeated option are joined by
   * commas.
   */
  public boolean isRepeatable() {
    return expected.equals(WEB_ADDRESSES);
  }

  /** Returns whether the option without a value switches the setting on. */
  public boolean isFlag() {
    return expected.equals(FLAG);
  }

  public String environmentVariable() {
    return "TRAINYARD_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  public Message description() {
    return Message.of("config.setting." + name);
  }

  @Override
  public String toString() {
    return name;
  }
}
