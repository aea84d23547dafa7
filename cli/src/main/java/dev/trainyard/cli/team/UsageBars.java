package dev.trainyard.cli.team;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import java.util.Optional;

/** Formats the usage of resources: a bar if there is a limit, otherwise only the number. */
public final class UsageBars {
  private static final int BAR_LENGTH = 20;
  private static final int LABEL_WIDTH = 12;

  private final Session session;

  public UsageBars(Session session) {
    this.session = session;
  }

  /** Returns one line for each of the names. */
  public String format(Json used, Json limits, Iterable<String> names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(formatRow(say("cli.limit." + name), name, used, limits));
    }
    limits
        .at("deviceTypes")
        .fields()
        .keySet()
        .forEach(
            type ->
                text.append(
                    formatRow(
                        PlainText.of(type),
                        type,
                        used.at("deviceTypes"),
                        limits.at("deviceTypes"))));
    return text.toString();
  }

  private String formatRow(String label, String name, Json used, Json limits) {
    long usedAmount = used.findLong(name).orElse(0L);
    Optional<Long> limit = limits.findLong(name);
    String usageText =
        limit
            .map(
                max ->
                    say(
                        "cli.nodes.used",
                        "used",
                        formatAmount(name, usedAmount),
                        "all",
                        formatAmount(name, max)))
            .orElseGet(() -> say("cli.limit.unlimited", "used", formatAmount(name, usedAmount)));
    String bar = limit.map(max -> bar(usedAmount, max)).orElse(" ".repeat(BAR_LENGTH));
    return "  " + DisplayWidth.pad(label, LABEL_WIDTH) + " " + bar + " " + usageText + "\n";
  }

  private static String formatAmount(String name, long value) {
    return name.endsWith("MB") ? Localizer.megabytes(value) : Long.toString(value);
  }

  private String bar(long used, long max) {
    int filled =
        max <= 0
            ? BAR_LENGTH
            : (int) Math.round(BAR_LENGTH * Math.clamp(used / (double) max, 0, 1));
    boolean unicode = session.terminal().look().unicode();
    Style style = filled > BAR_LENGTH * 9 / 10 ? Style.WAIT : Style.GOOD;
    return session.terminal().styled(style, (unicode ? "█" : "#").repeat(filled))
        + session.terminal().styled(Style.DIM, (unicode ? "░" : ".").repeat(BAR_LENGTH - filled));
  }

  private String say(String code, Object... namesAndValues) {
    return session.words().say(code, namesAndValues);
  }
}
