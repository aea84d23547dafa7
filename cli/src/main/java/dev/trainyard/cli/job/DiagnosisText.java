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
 * @param found the job or attempt that failed
 */
record DiagnosisText(Localizer words, Json found) {
  private Json diagnosis() {
    return found.at("diagnosis");
  }

  private Optional<String> said(String part) {
    return new JobText(words, found).said(diagnosis().at(part), "message", "code", "params");
  }

  /** Returns what happened, if the log says more about it than the exit code. */
  Optional<String> seenInLog() {
    return diagnosis().list("lines").isEmpty() ? Optional.empty() : said("phrase");
  }

  /** Adds the phrase, cause, advice and retry policy. */
  void addTo(Map<String, String> facts) {
    facts.put("diagnosis", said("phrase").map(this::withTask).orElse(""));
    facts.put("likely-cause", said("cause").orElse(""));
    facts.put("advice", said("advice").orElse(""));
    facts.put("reaction", said("reactionText").orElse(""));
  }

  private String withTask(String phrase) {
    return found.list("tasks").size() > 1
        ? words.say("cli.diagnosis.task", "phrase", phrase, "task", TaskChoice.name(diagnosis()))
        : phrase;
  }

  /** Returns the relevant log lines and their position; empty if there are none. */
  String lines() {
    List<Json> lines = diagnosis().list("lines");
    if (lines.isEmpty()) {
      return "";
    }
    Json first = lines.getFirst();
    String stream = PlainText.of(first.string("stream"));
    String where =
        first
            .findLong("number")
            .map(number -> words.say("cli.diagnosis.at-line", "stream", stream, "line", number))
            .orElseGet(
                () ->
                    words.say(
                        "cli.diagnosis.at-offset",
                        "stream",
                        stream,
                        "offset",
                        first.number("offset")));
    StringBuilder text = new StringBuilder("\n").append(where).append('\n');
    lines.forEach(line -> text.append("  ").append(PlainText.of(line.string("text"))).append('\n'));
    return text.toString();
  }
}
