package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Shows why a job does not run yet: on a terminal in the status line, otherwise as a line for each
 * new reason.
 */
final class ReasonReport {
  /** Parameters of a reason that change while the reason remains the same. */
  private static final Set<String> VARYING = Set.of("seconds", "percent", "done", "total");

  private final Session session;
  private String lastReason = "";
  private String lastCause = "";

  ReasonReport(Session session) {
    this.session = session;
  }

  /** Must be called by one thread at a time. */
  void show(Json job) {
    JobText text = new JobText(session.localizer(), job);
    if (session.terminal().properties().errIsTerminal()) {
      noteNewCause(job, text);
      session.terminal().status(text.withName(text.explanation(System.currentTimeMillis())));
      return;
    }
    String sentence = text.reason().orElseGet(text::state);
    String reason = withoutVaryingParts(job, sentence);
    if (!reason.equals(lastReason)) {
      lastReason = reason;
      session.terminal().note(text.withName(sentence));
    }
  }

  /**
   * On a terminal, shows the cause of a failed attempt once in full, because the status line is cut
   * off at the width of the terminal.
   */
  private void noteNewCause(Json job, JobText text) {
    Json cause = job.at("reasonParams").at("cause");
    String code = cause.string("code") + cause.at("params").at("detail").string("code");
    if (!code.isEmpty() && !code.equals(lastCause)) {
      lastCause = code;
      text.reason().ifPresent(sentence -> session.terminal().note(text.withName(sentence)));
    }
  }

  /** Returns a text that is the same for the same reason, for example during a countdown. */
  private static String withoutVaryingParts(Json job, String sentence) {
    String code = job.find("reasonCode").orElse("");
    if (code.isEmpty()) {
      return sentence;
    }
    Map<String, Object> params = new LinkedHashMap<>(job.at("reasonParams").fields());
    params.keySet().removeAll(VARYING);
    // Progress replaces the message that the image is being pulled.
    return code.replace("wait.pulling-progress", "wait.pulling") + params;
  }
}
