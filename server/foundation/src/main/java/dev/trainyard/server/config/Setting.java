package dev.trainyard.server.config;

import dev.trainyard.model.Message;
import java.util.Locale;
import java.util.function.Function;

/**
 * The declaration of one setting. What it is for stands in the messages, under {@code
 * config.setting.NAME}.
 *
 * @param name as an option without its dashes, and as the key in a file
 * @param parser throws IllegalArgumentException for what it does not understand
 * @param expected code of the message that says what would have been right
 */
public record Setting<T>(
    String name, String defaultText, Function<String, T> parser, String expected) {

  /** What a setting expects that is either on or off. */
  static final String FLAG = "config.expected.flag";

  /** Whether the bare option, without a value, switches it on. */
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
