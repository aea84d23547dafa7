package dev.trainyard.server.openpai;

import dev.trainyard.model.Message;
import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of OpenPAI's exit table in the format of its API, with this platform's texts for causes and
 * solutions.
 */
final class ExitSpecs {
  private ExitSpecs() {}

  /** Returns the row of an attempt that succeeded. */
  static Map<String, Object> ofSuccess() {
    return of(Exit.SUCCEEDED, 0, false);
  }

  /**
   * Returns the row that corresponds to the exit of a task.
   *
   * @param exitCode exit code of the task
   * @param withoutImage whether the engine ignored the image of the task
   */
  static Map<String, Object> of(Exit exit, int exitCode, boolean withoutImage) {
    Map<String, Object> spec = of(OpenPaiExits.of(exit, exitCode), exit, withoutImage);
    if (exit != Exit.SUCCEEDED) {
      // Reports what this platform does, which can differ from OpenPAI's table.
      spec.put("behavior", behavior(exit.reaction()));
      spec.put("reaction", reaction(exit.reaction()));
    }
    return spec;
  }

  private static String behavior(RetryBehavior behavior) {
    return switch (behavior) {
      case FREE -> "TRANSIENT";
      case BACK_OFF -> "TRANSIENT_CONFLICT";
      case NEVER -> "PERMANENT";
      case COUNTED -> "UNKNOWN";
    };
  }

  private static String reaction(RetryBehavior behavior) {
    return switch (behavior) {
      case FREE -> "ALWAYS_RETRY";
      case BACK_OFF -> "ALWAYS_BACKOFF_RETRY";
      case NEVER -> "NEVER_RETRY";
      case COUNTED -> "RETRY_TO_MAX";
    };
  }

  /** Returns the row of a code that OpenPAI uses for stopped tasks and jobs. */
  static Map<String, Object> ofStop(int code) {
    return OpenPaiExits.find(code).map(row -> of(row, Exit.STOPPED, false)).orElseThrow();
  }

  private static Map<String, Object> of(OpenPaiExits.Row row, Exit exit, boolean withoutImage) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("code", row.code());
    spec.put("phrase", row.phrase());
    spec.put("issuer", row.issuer());
    spec.put("causer", row.causer());
    spec.put("type", row.type());
    spec.put("stage", row.stage());
    spec.put("behavior", behavior(row.behaviour()));
    spec.put("reaction", reaction(row));
    spec.put("reason", (withoutImage ? exit.causeWithoutImage() : exit.cause()).english());
    spec.put("repro", List.of());
    Message advice = withoutImage ? exit.adviceWithoutImage() : exit.advice();
    spec.put("solution", List.of(advice.english()));
    return spec;
  }

  private static String behavior(OpenPaiExits.Behaviour behaviour) {
    return switch (behaviour) {
      case T -> "TRANSIENT";
      case TC -> "TRANSIENT_CONFLICT";
      case P -> "PERMANENT";
      case U -> "UNKNOWN";
    };
  }

  private static String reaction(OpenPaiExits.Row row) {
    if (row.code() == 0) {
      return "NEVER_RETRY";
    }
    return switch (row.behaviour()) {
      case T -> "ALWAYS_RETRY";
      case TC -> "ALWAYS_BACKOFF_RETRY";
      case P -> "NEVER_RETRY";
      case U -> "RETRY_TO_MAX";
    };
  }
}
