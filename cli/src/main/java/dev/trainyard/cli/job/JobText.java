package dev.trainyard.cli.job;

import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Texts about a job. */
final class JobText {
  private final Localizer localizer;
  private final Json job;

  JobText(Localizer localizer, Json job) {
    this.localizer = localizer;
    this.job = job;
  }

  String fullName() {
    return PlainText.of(job.string("user") + "~" + job.string("name"));
  }

  /** Returns the sentence with the name of the job in front. */
  String about(String sentence) {
    return localizer.say("cli.about", "subject", fullName(), "text", sentence);
  }

  String state() {
    return localizer.word("cli.state", job.string("state"));
  }

  boolean isFinal() {
    return Arrays.stream(JobState.values())
        .anyMatch(state -> state.name().equals(job.string("state")) && state.isFinal());
  }

  /** Returns the reason given by the server, localized if this version has a text for it. */
  Optional<String> reason() {
    return said(job, "reason", "reasonCode", "reasonParams");
  }

  /** Returns why the job waits, that it is running, or how it finished; never empty. */
  String why(long now) {
    Optional<String> reason = reason();
    if (reason.isPresent()) {
      return withDiagnosis(reason.get());
    }
    String code = "cli.why." + job.string("state").toLowerCase(java.util.Locale.ROOT);
    long since = job.findLong("started").orElse(job.number("submitted"));
    return localizer.knows(code)
        ? localizer.say(
            code,
            "span",
            localizer.span(Math.max(0, now - since) / 1000),
            "exitCode",
            job.find("exitCode").orElse("?"))
        : job.string("state");
  }

  private String withDiagnosis(String reason) {
    return new DiagnosisText(localizer, job)
        .seenInLog()
        .filter(_ -> job.string("state").equals(JobState.FAILED.name()))
        .map(phrase -> localizer.say("cli.why.diagnosis", "reason", reason, "phrase", phrase))
        .orElse(reason);
  }

  String submitted(long now) {
    return job.findLong("submitted").map(then -> localizer.ago(then, now)).orElse("");
  }

  /** Returns the run time so far, or the total one if the job has finished. */
  String duration(long now) {
    return job.findLong("started")
        .map(from -> localizer.span(Math.max(0, job.findLong("ended").orElse(now) - from) / 1000))
        .orElse("");
  }

  /** Converts nested messages; a value may be a message whose values are messages. */
  private static Map<String, Object> withMessages(Map<String, Object> values) {
    Map<String, Object> read = new LinkedHashMap<>(values);
    read.replaceAll(
        (_, value) -> {
          if (value instanceof Map<?, ?> map && map.containsKey("code")) {
            Json inner = new Json(map);
            return new Message(inner.string("code"), withMessages(inner.at("params").fields()));
          }
          return value;
        });
    return read;
  }

  /** Returns a message that the server sent in the fields of the given names. */
  Optional<String> said(Json from, String textField, String codeField, String paramsField) {
    String code = from.string(codeField);
    if (localizer.knows(code)) {
      Message message = new Message(code, withMessages(from.at(paramsField).fields()));
      return Optional.of(PlainText.of(localizer.say(message)));
    }
    return from.find(textField).map(PlainText::of);
  }
}
