package dev.trainyard.cli.team;

import dev.trainyard.cli.Session;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses limits: 8, 64GB, unlimited, default. */
public final class LimitParser {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})(MB|GB|TB)?");
  private static final long UNLIMITED = -1;

  private final Session session;
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final boolean hasInheritedValue;

  /**
   * @param hasInheritedValue whether an unset limit is inherited; if so, "unlimited" is stored
   *     explicitly and "default" removes the limit
   */
  public LimitParser(Session session, boolean hasInheritedValue) {
    this.session = session;
    this.hasInheritedValue = hasInheritedValue;
  }

  /** Parses an option; does nothing if it was not given. */
  public LimitParser addNumber(String option, String field, String amountText) {
    if (amountText != null) {
      fields.put(field, parse(option, amountText, false));
    }
    return this;
  }

  /** Like {@link #addNumber}, for memory; a bare number is megabytes. */
  public LimitParser addMemory(String option, String field, String amountText) {
    if (amountText != null) {
      fields.put(field, parse(option, amountText, true));
    }
    return this;
  }

  /** Parses device types with their numbers, for example a100=2. */
  public LimitParser addDeviceTypes(String option, String field, Map<String, String> amounts) {
    if (amounts != null) {
      Map<String, Object> deviceTypes = new LinkedHashMap<>();
      amounts.forEach(
          (type, amountText) -> deviceTypes.put(type, parse(option, amountText, false)));
      fields.put(field, deviceTypes);
    }
    return this;
  }

  /** Parses an amount of memory; rejects anything else. */
  public static long megabytes(Session session, String option, String amountText) {
    Long megabytes = new LimitParser(session, false).parse(option, amountText, true);
    if (megabytes == null) {
      throw session.usageError("cli.wrong.value", "name", option, "value", amountText);
    }
    return megabytes;
  }

  /** Returns the fields for the API; null removes a limit. */
  public Map<String, Object> fields() {
    return fields;
  }

  private Long parse(String option, String amountText, boolean memory) {
    String normalized = amountText.strip().toLowerCase(Locale.ROOT);
    if (normalized.equals("unlimited")) {
      return hasInheritedValue ? Long.valueOf(UNLIMITED) : null;
    }
    if (hasInheritedValue && normalized.equals("default")) {
      return null;
    }
    Matcher amount = AMOUNT.matcher(normalized.toUpperCase(Locale.ROOT));
    if (!amount.matches() || (amount.group(2) != null && !memory)) {
      throw session.usageError("cli.wrong.value", "name", option, "value", amountText);
    }
    long number = Long.parseLong(amount.group(1));
    return switch (amount.group(2)) {
      case "GB" -> number << 10;
      case "TB" -> number << 20;
      case null, default -> number;
    };
  }
}
