package dev.trainyard.cli.team;

import dev.trainyard.cli.Session;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the numbers of limits as people type them: 8, 64GB, unlimited, default. */
public final class Amounts {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})(MB|GB|TB)?");
  private static final long UNLIMITED = -1;

  private final Session session;
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final boolean inherited;

  /**
   * @param inherited whether something else counts where nothing is said, so that "no limit" is
   *     something to say and "default" means to say nothing
   */
  public Amounts(Session session, boolean inherited) {
    this.session = session;
    this.inherited = inherited;
  }

  /** What was typed for an option; nothing if it was not given. */
  public Amounts number(String option, String field, String text) {
    if (text != null) {
      fields.put(field, value(option, text, false));
    }
    return this;
  }

  /** The same for memory; a bare number is megabytes. */
  public Amounts memory(String option, String field, String text) {
    if (text != null) {
      fields.put(field, value(option, text, true));
    }
    return this;
  }

  /** Types of card with their numbers, as a100=2. */
  public Amounts types(String option, String field, Map<String, String> texts) {
    if (texts != null) {
      Map<String, Object> types = new LinkedHashMap<>();
      texts.forEach((type, text) -> types.put(type, value(option, text, false)));
      fields.put(field, types);
    }
    return this;
  }

  /** An amount of memory that must be one. */
  public static long megabytes(Session session, String option, String text) {
    Long found = new Amounts(session, false).value(option, text, true);
    if (found == null) {
      throw session.wrong("cli.wrong.value", "name", option, "value", text);
    }
    return found;
  }

  /** As the API wants them; null says that there is nothing to say any more. */
  public Map<String, Object> fields() {
    return fields;
  }

  private Long value(String option, String text, boolean memory) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.equals("unlimited")) {
      return inherited ? Long.valueOf(UNLIMITED) : null;
    }
    if (inherited && word.equals("default")) {
      return null;
    }
    Matcher amount = AMOUNT.matcher(word.toUpperCase(Locale.ROOT));
    if (!amount.matches() || (amount.group(2) != null && !memory)) {
      throw session.wrong("cli.wrong.value", "name", option, "value", text);
    }
    long number = Long.parseLong(amount.group(1));
    return switch (amount.group(2)) {
      case "GB" -> number << 10;
      case "TB" -> number << 20;
      case null, default -> number;
    };
  }
}
