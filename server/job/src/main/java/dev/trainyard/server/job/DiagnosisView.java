package dev.trainyard.server.job;

import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.LogLine;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** API representation of a diagnosis. */
final class DiagnosisView {
  private DiagnosisView() {}

  /** Returns the diagnosis of an attempt; empty if the attempt has none. */
  static Optional<Map<String, Object>> of(AttemptEnd end) {
    return end.diagnosis().map(diagnosis -> of(diagnosis, end.decisiveCode()));
  }

  private static Map<String, Object> of(TaskDiagnosis taskDiagnosis, int exitCode) {
    Exit exit = taskDiagnosis.diagnosis().exit();
    OpenPaiExits.Row row = OpenPaiExits.of(exit, exitCode);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("exit", exit);
    view.put("phrase", JobView.message(exit.phrase()));
    view.put("cause", JobView.message(taskDiagnosis.cause()));
    view.put("advice", JobView.message(taskDiagnosis.advice()));
    view.put("reaction", exit.reaction());
    view.put("reactionText", JobView.message(exit.reaction().description()));
    view.put("role", taskDiagnosis.role());
    view.put("index", taskDiagnosis.index());
    view.put("lines", taskDiagnosis.diagnosis().lines().stream().map(DiagnosisView::line).toList());
    view.put("openpai", Map.of("code", row.code(), "phrase", row.phrase(), "type", row.type()));
    return view;
  }

  private static Map<String, Object> line(LogLine line) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("stream", line.stream());
    view.put("offset", line.offset());
    view.put("number", line.number() == 0 ? null : line.number());
    view.put("text", line.text());
    return view;
  }
}
