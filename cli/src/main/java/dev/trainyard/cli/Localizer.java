package dev.trainyard.cli;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats messages, times and sizes in one language. */
public final class Localizer {
  /**
   * Name of the command as the user types it, set by the launcher. Available to all messages as
   * {trainyard}.
   */
  private static final String COMMAND = System.getProperty("trainyard.command", "trainyard");

  private final Messages messages;
  private String command = COMMAND;

  private Localizer(Messages messages) {
    this.messages = messages;
  }

  public static Localizer of(Locale locale) {
    return new Localizer(Messages.of(locale));
  }

  /**
   * Returns the language given by the option or, without the option, the language of the
   * environment.
   */
  public static Locale language(String languageOption, Map<String, String> env) {
    String value = languageOption;
    for (String name : new String[] {"TRAINYARD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"}) {
      value = value == null || value.isEmpty() ? env.get(name) : value;
    }
    boolean chinese = value != null && value.toLowerCase(Locale.ROOT).startsWith("zh");
    return chinese ? Locale.CHINESE : Locale.ENGLISH;
  }

  /** Appends global options to the command name in messages that suggest a command. */
  void addOptionsToHints(String options) {
    command = COMMAND + options;
  }

  /** Returns the language code as accepted by {@code --lang}. */
  public String language() {
    return messages == Messages.CHINESE ? "zh" : "en";
  }

  public Messages messages() {
    return messages;
  }

  public boolean hasMessage(String code) {
    return messages.template(code) != null;
  }

  /** Returns the text of a message code; the arguments alternate between names and values. */
  public String text(String code, Object... namesAndValues) {
    assert hasMessage(code) : "no text for " + code;
    Map<String, Object> params = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      params.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return text(new Message(code, params));
  }

  public String text(Message message) {
    return messages.text(hasMessage(message.code()) ? message.with("trainyard", command) : message);
  }

  /** Returns the text of an enumeration value. A newer server may have values without a text. */
  public String enumText(String prefix, String value) {
    String code = prefix + "." + value.toLowerCase(Locale.ROOT).replace('_', '-');
    return hasMessage(code) ? text(code) : value;
  }

  public String ago(long thenMillis, long nowMillis) {
    long seconds = Math.max(0, (nowMillis - thenMillis) / 1000);
    return seconds < 5 ? text("cli.time.now") : text("cli.time.ago", "span", duration(seconds));
  }

  public String duration(long seconds) {
    if (seconds < 60) {
      return text("cli.time.seconds", "n", seconds);
    }
    if (seconds < 3600) {
      return text("cli.time.minutes", "n", seconds / 60);
    }
    if (seconds < 48 * 3600) {
      return text("cli.time.hours", "n", seconds / 3600);
    }
    return text("cli.time.days", "n", seconds / 86_400);
  }

  /** Returns a short form: "512 MiB", "31.4 GiB", "1.5 TiB". */
  public static String megabytes(long megabytes) {
    return DataSize.textOfMegabytes(megabytes);
  }

  /** Formats a size in the largest unit, up to TiB, in which its value is at least 1. */
  public static String bytes(long bytes) {
    return DataSize.text(bytes);
  }
}
