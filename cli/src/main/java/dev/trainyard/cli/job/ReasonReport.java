package dev.trainyard.cli.job;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;

/**
 * Shows why a job does not run yet: on a terminal in the status line, otherwise as a line for each
 * new reason.
 */
final class ReasonReport {
  private final Session session;
  private String lastReason = "";

  ReasonReport(Session session) {
    this.session = session;
  }

  void show(Json job) {
    JobText text = new JobText(session.localizer(), job);
    if (session.terminal().properties().errIsTerminal()) {
      session.terminal().status(text.withName(text.explanation(System.currentTimeMillis())));
      return;
    }
    String reason = text.reason().orElseGet(text::state);
    if (!reason.equals(lastReason)) {
      lastReason = reason;
      session.terminal().note(text.withName(reason));
    }
  }
}
