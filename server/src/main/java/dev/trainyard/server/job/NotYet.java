package dev.trainyard.server.job;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.List;

/** What a job of any format may ask for and the queue does not do yet. */
final class NotYet {
  private NotYet() {}

  static List<Problem> warnings(JobSpec spec) {
    return spec.taskCount() > 1
        ? List.of(Problem.at("taskRoles", Message.of("notice.no-peers")))
        : List.of();
  }
}
