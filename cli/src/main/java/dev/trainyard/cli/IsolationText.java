package dev.trainyard.cli;

import dev.trainyard.cli.api.Json;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Describes how far a task is isolated from the rest of the node: files, processes, network,
 * limits, system calls.
 */
public final class IsolationText {
  private final Localizer localizer;

  public IsolationText(Localizer localizer) {
    this.localizer = localizer;
  }

  /** Returns the description; empty if the server sent no isolation levels. */
  public String of(Json isolation) {
    return isolation.fields().entrySet().stream()
        .map(part -> describe(part.getKey(), String.valueOf(part.getValue())))
        .collect(Collectors.joining(localizer.text("cli.isolation.separator")));
  }

  /**
   * Returns the text for one resource. Some levels have a separate text because, for example,
   * "network none" would read as "no network".
   */
  private String describe(String aspect, String level) {
    String code =
        "cli.isolation.%s.%s"
            .formatted(aspect.toLowerCase(Locale.ROOT), level.toLowerCase(Locale.ROOT));
    return localizer.hasMessage(code)
        ? localizer.text(code)
        : localizer.enumText("cli.isolation", aspect)
            + " "
            + localizer.enumText("cli.isolation", level);
  }
}
