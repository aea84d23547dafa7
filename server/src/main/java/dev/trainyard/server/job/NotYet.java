package dev.trainyard.server.job;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.List;

/** What a job file may ask for and this version accepts but does not do. */
final class NotYet {
  private NotYet() {}

  static List<Problem> warnings(JobSpec spec) {
    List<Problem> warnings = new ArrayList<>();
    if (spec.retryCount() != 0) {
      warnings.add(Problem.at("retryCount", Message.of("notice.no-retries")));
    }
    if (spec.taskCount() > 1) {
      warnings.add(Problem.at("taskRoles", Message.of("notice.no-peers")));
    }
    for (int i = 0; i < spec.roles().size(); i++) {
      if (!spec.roles().get(i).ports().isEmpty()) {
        warnings.add(
            Problem.at("taskRoles[" + i + "].portList", Message.of("notice.no-ports")));
      }
    }
    return warnings;
  }
}
