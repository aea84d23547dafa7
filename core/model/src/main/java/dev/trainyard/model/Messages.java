package dev.trainyard.model;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts of all {@link Message} codes in one language. A template contains placeholders for the
 * values of parameters:
 *
 * <ul>
 *   <li>{@code {name}}: the value;
 *   <li>{@code {name|job|jobs}}: the first word if the value is 1, the second word for other
 *       values;
 *   <li>{@code {name|none|one|many}}: the first word if the value is 0, the second word if the
 *       value is 1, the third word for other values;
 *   <li>{@code {name:size}}: a size in a readable unit; the value is a number of MiB.
 * </ul>
 *
 * <p>Within a word, {@code #} is replaced by the value.
 */
public final class Messages {
  public static final Messages ENGLISH = read("messages.properties");
  public static final Messages CHINESE = read("messages_zh.properties");

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(\\w+)(?:(:size)|\\|([^|}]*)\\|([^|}]*)(?:\\|([^|}]*))?)?}");

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
   * Returns the text. If the code is unknown because the server is newer than this client, the text
   * is the code with its parameters. A parameter may be a message itself; a missing parameter is
   * replaced by its name.
   */
  public String text(Message message) {
    String template = templates.getProperty(message.code());
    if (template == null) {
      return message.params().isEmpty() ? message.code() : message.code() + " " + message.params();
    }
    Matcher placeholder = PLACEHOLDER.matcher(template);
    boolean ambiguous =
        template.contains(":size}") && hasAmbiguousSizes(template, message.params());
    StringBuilder text = new StringBuilder();
    while (placeholder.find()) {
      Object param = message.params().getOrDefault(placeholder.group(1), placeholder.group(1));
      String value =
          placeholder.group(2) != null && param instanceof Number megabytes
              ? size(megabytes.longValue(), ambiguous)
              : param instanceof Message inner ? text(inner) : String.valueOf(param);
      placeholder.appendReplacement(
          text, Matcher.quoteReplacement(selectVariant(placeholder, value)));
    }
    return placeholder.appendTail(text).toString();
  }

  /**
   * Returns whether different sizes of a message have the same text, as in "needs 2 GiB, the
   * largest node has 2 GiB". All its sizes are then in MiB.
   */
  private static boolean hasAmbiguousSizes(String template, Map<String, Object> params) {
    Set<Long> sizes =
        PLACEHOLDER
            .matcher(template)
            .results()
            .filter(placeholder -> placeholder.group(2) != null)
            .map(placeholder -> params.get(placeholder.group(1)))
            .filter(Number.class::isInstance)
            .map(megabytes -> ((Number) megabytes).longValue())
            .collect(Collectors.toSet());
    return sizes.stream().map(megabytes -> size(megabytes, false)).distinct().count()
        < sizes.size();
  }

  private static String size(long megabytes, boolean inMebibytes) {
    return inMebibytes ? megabytes + " MiB" : DataSize.textOfMegabytes(megabytes);
  }

  private static String selectVariant(Matcher placeholder, String value) {
    if (placeholder.group(3) == null) {
      return value;
    }
    boolean threeCases = placeholder.group(5) != null;
    String variant;
    if (threeCases && value.equals("0")) {
      variant = placeholder.group(3);
    } else if (value.equals("1")) {
      variant = placeholder.group(threeCases ? 4 : 3);
    } else {
      variant = placeholder.group(threeCases ? 5 : 4);
    }
    return variant.replace("#", value);
  }
}
