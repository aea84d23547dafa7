package dev.trainyard.cli;

import dev.trainyard.cli.api.Json;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a machine keeps apart between a task and everything else, in words. */
public final class IsolationText {
  private final Localizer localizer;

  public IsolationText(Localizer localizer) {
    this.localizer = localizer;
  }

  /** Empty where nothing is known. */
  public String of(Json isolation) {
    return isolation.fields().entrySet().stream()
        .map(part -> aspect(part.getKey(), String.valueOf(part.getValue())))
        .collect(Collectors.joining(localizer.say("cli.isolation.separator")));
  }

  /** "network none" would read as "no network": where nothing is kept apart, a sentence says so. */
  private String aspect(String aspect, String level) {
    String sentence =
        "cli.isolation.%s.%s"
            .formatted(aspect.toLowerCase(Locale.ROOT), level.toLowerCase(Locale.ROOT));
    return localizer.knows(sentence)
        ? localizer.say(sentence)
        : localizer.word("cli.isolation", aspect) + " " + localizer.word("cli.isolation", level);
  }
}
