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
  private static final int LENGTH = 20;
  private static final int NAME = 12;

  private final Session session;

  public UsageBars(Session session) {
    this.session = session;
  }

  /** Returns one line for each of the names. */
  public String of(Json used, Json limits, Iterable<String> names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(row(say("cli.limit." + name), name, used, limits));
    }
    limits
        .at("deviceTypes")
        .fields()
        .keySet()
        .forEach(
            type ->
                text.append(
                    row(
                        PlainText.of(type),
                        type,
                        used.at("deviceTypes"),
                        limits.at("deviceTypes"))));
    return text.toString();
  }

  private String row(String label, String name, Json used, Json limits) {
    long use = used.findLong(name).orElse(0L);
    Optional<Long> most = limits.findLong(name);
    String figures =
        most.map(all -> say("cli.nodes.used", "used", figure(name, use), "all", figure(name, all)))
            .orElseGet(() -> say("cli.limit.unlimited", "used", figure(name, use)));
    String bar = most.map(all -> bar(use, all)).orElse(" ".repeat(LENGTH));
    return "  " + DisplayWidth.pad(label, NAME) + " " + bar + " " + figures + "\n";
  }

  private static String figure(String name, long value) {
    return name.endsWith("MB") ? Localizer.megabytes(value) : Long.toString(value);
  }

  private String bar(long used, long all) {
    int filled =
        all <= 0 ? LENGTH : (int) Math.round(LENGTH * Math.clamp(used / (double) all, 0, 1));
    boolean unicode = session.terminal().look().unicode();
    Style style = filled > LENGTH * 9 / 10 ? Style.WAIT : Style.GOOD;
    return session.terminal().styled(style, (unicode ? "█" : "#").repeat(filled))
        + session.terminal().styled(Style.DIM, (unicode ? "░" : ".").repeat(LENGTH - filled));
  }

  private String say(String code, Object... namesAndValues) {
    return session.words().say(code, namesAndValues);
  }
}
