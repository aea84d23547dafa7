package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import java.util.Optional;
import java.util.OptionalInt;

/** Common properties of a full job and of a list item. */
public sealed interface JobInfo permits Job, JobListItem {
  JobId id();

  String userName();

  String name();

  JobState state();

  Optional<StopCause> stopCause();

  OptionalInt exitCode();
}
