package dev.trainyard.model;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of all {@link Message} codes in one language. A template contains {@code {name}} for a
 * value, {@code {name|job|jobs}} for one of two words, depending on whether the value is 1, and
 * {@code {name|none|one|many}} for the three cases 0, 1 and other; within the cases, {@code #} is
 * the value.
 */
public final class Messages {
  public static final Messages ENGLISH = read("messages.properties");
  public static final Messages CHINESE = read("messages_zh.properties");

  private static final Pattern SLOT =
      Pattern.compile("\\{(\\w+)(?:\\|([^|}]*)\\|([^|}]*)(?:\\|([^|}]*))?)?}");

  private final Properties templates;

  private Messages(Properties templates) {
    this.templates = templates;
  }

  public static Messages of(Locale locale) {
    return locale.getLanguage().equals("zh") ? CHINESE : ENGLISH;
  }

  private static Messages read(String resource) {
    Properties templates = new Properties();
    try (var in =
        new InputStreamReader(
            Messages.class.getResourceAsStream(resource), StandardCharsets.UTF_8)) {
      templates.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Messages(templates);
  }

  public Set<String> codes() {
    return templates.stringPropertyNames();
  }

  public String template(String code) {
    return templates.getProperty(code);
  }

  /**
   * Returns the text. For a code of a newer server this is the code with its parameters. A
   * parameter may be a message itself; a missing one is replaced by its name.
   */
  public String text(Message message) {
    String template = templates.getProperty(message.code());
    if (template == null) {
      return message.params().isEmpty() ? message.code() : message.code() + " " + message.params();
    }
    Matcher slot = SLOT.matcher(template);
    StringBuilder text = new StringBuilder();
    while (slot.find()) {
      Object given = message.params().getOrDefault(slot.group(1), slot.group(1));
      String value = given instanceof Message inner ? text(inner) : String.valueOf(given);
      slot.appendReplacement(text, Matcher.quoteReplacement(word(slot, value)));
    }
    return slot.appendTail(text).toString();
  }

  private static String word(Matcher slot, String value) {
    if (slot.group(2) == null) {
      return value;
    }
    boolean threeCases = slot.group(4) != null;
    String chosen;
    if (threeCases && value.equals("0")) {
      chosen = slot.group(2);
    } else if (value.equals("1")) {
      chosen = slot.group(threeCases ? 3 : 2);
    } else {
      chosen = slot.group(threeCases ? 4 : 3);
    }
    return chosen.replace("#", value);
  }
}
