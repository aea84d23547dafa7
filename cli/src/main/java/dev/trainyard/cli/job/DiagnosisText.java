package dev.trainyard.cli.job;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Text of the server's diagnosis of a failure.
 *
 * @param jobOrAttempt the job or attempt that failed
 */
record DiagnosisText(Localizer localizer, Json jobOrAttempt) {
  private Json diagnosis() {
    return jobOrAttempt.at("diagnosis");
  }

  private Optional<String> message(String part) {
    return new JobText(localizer, jobOrAttempt)
        .message(diagnosis().at(part), "message", "code", "params");
  }

  /**
   * Returns the diagnosis phrase if log lines support it. Otherwise returns empty, because the
   * phrase would say no more than the exit code.
   */
  Optional<String> phraseFromLog() {
    return diagnosis().list("lines").isEmpty() ? Optional.empty() : message("phrase");
  }

  /** Adds the phrase, cause, advice and retry policy. */
  void addTo(Map<String, String> facts) {
    facts.put("diagnosis", message("phrase").map(this::withTask).orElse(""));
    facts.put("likely-cause", message("cause").orElse(""));
    facts.put("advice", message("advice").orElse(""));
    facts.put("reaction", message("reactionText").orElse(""));
  }

  private String withTask(String phrase) {
    return jobOrAttempt.list("tasks").size() > 1
        ? localizer.text(
            "cli.diagnosis.task", "phrase", phrase, "task", TaskChoice.name(diagnosis()))
        : phrase;
  }

  /** Returns the relevant log lines and their position; empty if there are none. */
  String lines() {
    List<Json> lines = diagnosis().list("lines");
    if (lines.isEmpty()) {
      return "";
    }
    Json firstLine = lines.getFirst();
    String stream = PlainText.of(firstLine.string("stream"));
    String position =
        firstLine
            .findLong("number")
            .map(
                number -> localizer.text("cli.diagnosis.at-line", "stream", stream, "line", number))
            .orElseGet(
                () ->
                    localizer.text(
                        "cli.diagnosis.at-offset",
                        "stream",
                        stream,
                        "offset",
                        firstLine.number("offset")));
    StringBuilder text = new StringBuilder("\n").append(position).append('\n');
    lines.forEach(line -> text.append("  ").append(PlainText.of(line.string("text"))).append('\n'));
    return text.toString();
  }
}
