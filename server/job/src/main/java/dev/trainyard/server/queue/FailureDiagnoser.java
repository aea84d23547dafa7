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

/** Looks into the logs of a task that failed. Thread-safe. */
final class FailureDiagnoser {
  private static final Logger LOG = LoggerFactory.getLogger(FailureDiagnoser.class);

  private final LogStore logs;

  FailureDiagnoser(LogStore logs) {
    this.logs = logs;
  }

  /** An explanation in any case: a log that can't be read only makes it a poorer one. */
  Diagnosis of(TaskId task, TaskEnd end) {
    if (!Diagnosis.needsLog(end)) {
      return Diagnosis.of(end);
    }
    List<LogTail> tails = new ArrayList<>();
    // Errors are told on standard error, by most programs.
    for (LogStream stream : List.of(LogStream.STDERR, LogStream.STDOUT)) {
      try {
        tails.add(tail(task, stream));
      } catch (IOException e) {
        LOG.warn("{} of task {} can't be read for a diagnosis", stream.fileName(), task, e);
      }
    }
    try {
      return Diagnosis.of(end, tails);
    } catch (RuntimeException e) {
      // Whatever a log may do to us: the end of a job must not depend on it.
      LOG.error("the log of task {} can't be understood", task, e);
      return Diagnosis.of(end);
    }
  }

  private LogTail tail(TaskId task, LogStream stream) throws IOException {
    long from = Math.max(0, logs.length(task, stream) - LogTail.MOST);
    return new LogTail(stream.fileName(), from, logs.read(task, stream, from, LogTail.MOST));
  }
}
