package dev.trainyard.cli;

import dev.trainyard.cli.api.Json;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes which resources of a node are isolated between a task and the rest of the system. */
public final class IsolationText {
  private final Localizer localizer;

  public IsolationText(Localizer localizer) {
    this.localizer = localizer;
  }

  /** Returns an empty string if nothing is known. */
  public String of(Json isolation) {
    return isolation.fields().entrySet().stream()
        .map(part -> aspect(part.getKey(), String.valueOf(part.getValue())))
        .collect(Collectors.joining(localizer.say("cli.isolation.separator")));
  }

  /**
   * "network none" would read as "no network", so resources that are not isolated have their own
   * text.
   */
  private String aspect(String aspect, String level) {
    String sentence =
        "cli.isolation.%s.%s"
            .formatted(aspect.toLowerCase(Locale.ROOT), level.toLowerCase(Locale.ROOT));
    return localizer.knows(sentence)
        ? localizer.say(sentence)
        : localizer.word("cli.isolation", aspect) + " " + localizer.word("cli.isolation", level);
  }
}
