package dev.trainyard.cli.team;

import dev.trainyard.cli.Session;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses limits: 8, 64GB, unlimited, default. */
public final class Amounts {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})(MB|GB|TB)?");
  private static final long UNLIMITED = -1;

  private final Session session;
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final boolean inherited;

  /**
   * @param inherited whether unset limits are inherited, so that "unlimited" must be stored
   *     explicitly and "default" removes the limit
   */
  public Amounts(Session session, boolean inherited) {
    this.session = session;
    this.inherited = inherited;
  }

  /** Parses an option; does nothing if it was not given. */
  public Amounts number(String option, String field, String text) {
    if (text != null) {
      fields.put(field, value(option, text, false));
    }
    return this;
  }

  /** Like {@link #number}, for memory; a bare number is megabytes. */
  public Amounts memory(String option, String field, String text) {
    if (text != null) {
      fields.put(field, value(option, text, true));
    }
    return this;
  }

  /** Parses device types with their numbers, for example a100=2. */
  public Amounts types(String option, String field, Map<String, String> texts) {
    if (texts != null) {
      Map<String, Object> types = new LinkedHashMap<>();
      texts.forEach((type, text) -> types.put(type, value(option, text, false)));
      fields.put(field, types);
    }
    return this;
  }

  /** Parses an amount of memory; rejects anything else. */
  public static long megabytes(Session session, String option, String text) {
    Long found = new Amounts(session, false).value(option, text, true);
    if (found == null) {
      throw session.wrong("cli.wrong.value", "name", option, "value", text);
    }
    return found;
  }

  /** Returns the fields for the API; null removes a limit. */
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
