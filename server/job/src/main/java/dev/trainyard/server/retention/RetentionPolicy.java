package dev.trainyard.server.retention;

import dev.trainyard.model.DataSize;
import dev.trainyard.server.config.Settings;
import java.time.Duration;
import java.util.Optional;

/**
 * Retention periods and limits. Empty means unlimited.
 *
 * @param jobs how long a job is kept after its end
 * @param logs how long the logs of a job are kept after its end
 * @param logsSize maximum total size of all logs
 */
public record RetentionPolicy(
    Optional<Duration> jobs, Optional<Duration> logs, Optional<DataSize> logsSize) {
  public static RetentionPolicy of(Settings settings) {
    return new RetentionPolicy(
        settings.value(Settings.KEEP_JOBS),
        settings.value(Settings.KEEP_LOGS),
        settings.value(Settings.KEEP_LOGS_SIZE));
  }
}
