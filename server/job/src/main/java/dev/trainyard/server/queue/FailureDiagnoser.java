package dev.trainyard.server.queue;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.model.diagnosis.LogTail;
import dev.trainyard.server.log.LogStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Diagnoses failed tasks with the help of their logs. Thread-safe. */
final class FailureDiagnoser {
  private static final Logger LOG = LoggerFactory.getLogger(FailureDiagnoser.class);

  private final LogStore logs;

  FailureDiagnoser(LogStore logs) {
    this.logs = logs;
  }

  /**
   * Diagnoses the end of a task. Always returns a diagnosis, which is less specific if the log is
   * unreadable.
   */
  Diagnosis of(TaskId task, TaskEnd end) {
    if (!Diagnosis.needsLog(end)) {
      return Diagnosis.of(end);
    }
    List<LogTail> tails = new ArrayList<>();
    // Standard error comes first, because most programs report errors there.
    for (LogStream stream : List.of(LogStream.STDERR, LogStream.STDOUT)) {
      try {
        tails.add(tail(task, stream));
      } catch (IOException e) {
        LOG.warn("failed to read {} of task {} for diagnosis", stream.fileName(), task, e);
      }
    }
    try {
      return Diagnosis.of(end, tails);
    } catch (RuntimeException e) {
      // Completion of a job must not depend on the content of a log.
      LOG.error("failed to analyze the log of task {}", task, e);
      return Diagnosis.of(end);
    }
  }

  private LogTail tail(TaskId task, LogStream stream) throws IOException {
    long from = Math.max(0, logs.length(task, stream) - LogTail.MAX_BYTES);
    return new LogTail(stream.fileName(), from, logs.read(task, stream, from, LogTail.MAX_BYTES));
  }
}
