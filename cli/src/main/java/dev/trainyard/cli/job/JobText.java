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

/** Formats texts about a job. */
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

  /** Prefixes a sentence with the name of the job. */
  String withName(String sentence) {
    return localizer.text("cli.about", "subject", fullName(), "text", sentence);
  }

  /**
   * Returns the name of the state; a waiting job that can never start on the current nodes has a
   * separate name.
   */
  String state() {
    return isUnschedulable()
        ? localizer.text("cli.state.unschedulable")
        : localizer.enumText("cli.state", job.string("state"));
  }

  private boolean isUnschedulable() {
    return job.isTrue("neverFits") && job.string("state").equals(JobState.WAITING.name());
  }

  boolean isFinal() {
    return Arrays.stream(JobState.values())
        .anyMatch(state -> state.name().equals(job.string("state")) && state.isFinal());
  }

  /** Returns whether no task of the newest attempt has started yet. */
  boolean isWaiting() {
    String state = job.string("state");
    return state.equals(JobState.WAITING.name()) || state.equals(JobState.PREPARING.name());
  }

  /** Returns the reason that the server sent, localized if this version has a text for it. */
  Optional<String> reason() {
    return message(job, "reason", "reasonCode", "reasonParams");
  }

  /**
   * Returns the reason as shown in a list of jobs: the diagnosis of a failed job if the server sent
   * one, otherwise the reason that the server sent.
   */
  String shortReason() {
    return message(job.at("failure"), "message", "code", "params").or(this::reason).orElse("");
  }

  /** Returns why the job waits, that it is running, or how it finished; never empty. */
  String explanation(long now) {
    Optional<String> reason = reason();
    if (reason.isPresent()) {
      return isUnschedulable()
          ? localizer.text("cli.why.unschedulable", "reason", reason.get())
          : withDiagnosis(reason.get());
    }
    String code = "cli.why." + job.string("state").toLowerCase(java.util.Locale.ROOT);
    long start = job.findLong("started").orElse(job.number("submitted"));
    return localizer.hasMessage(code)
        ? localizer.text(
            code,
            "span",
            localizer.duration(Math.max(0, now - start) / 1000),
            "exitCode",
            job.find("exitCode").orElse("?"))
        : job.string("state");
  }

  private String withDiagnosis(String reason) {
    return new DiagnosisText(localizer, job)
        .phraseFromLog()
        .filter(_ -> job.string("state").equals(JobState.FAILED.name()))
        .map(phrase -> localizer.text("cli.why.diagnosis", "reason", reason, "phrase", phrase))
        .orElse(reason);
  }

  String submittedAgo(long now) {
    return job.findLong("submitted").map(submitted -> localizer.ago(submitted, now)).orElse("");
  }

  /** Returns the run time so far, or the total run time if the job has finished. */
  String duration(long now) {
    return job.findLong("started")
        .map(
            started ->
                localizer.duration(Math.max(0, job.findLong("ended").orElse(now) - started) / 1000))
        .orElse("");
  }

  /** Converts values that are messages, including messages in the values of a message. */
  private static Map<String, Object> withMessages(Map<String, Object> values) {
    Map<String, Object> converted = new LinkedHashMap<>(values);
    converted.replaceAll(
        (_, value) -> {
          if (value instanceof Map<?, ?> map && map.containsKey("code")) {
            Json inner = new Json(map);
            return new Message(inner.string("code"), withMessages(inner.at("params").fields()));
          }
          return value;
        });
    return converted;
  }

  /** Returns a message that the server sent in the given fields. */
  Optional<String> message(
      Json messageFields, String textField, String codeField, String paramsField) {
    String code = messageFields.string(codeField);
    if (localizer.hasMessage(code)) {
      Message message = new Message(code, withMessages(messageFields.at(paramsField).fields()));
      return Optional.of(PlainText.of(localizer.text(message)));
    }
    return messageFields.find(textField).map(PlainText::of);
  }
}
