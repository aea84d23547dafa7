package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Optional;

/**
 * A stored attempt of a job.
 *
 * @param ended time at which the last task ended; empty until then
 * @param end outcome of the attempt; present as soon as the outcome is decided, which may be before
 *     the last task has ended
 */
public record Attempt(
    int number,
    AttemptCause cause,
    Instant created,
    Optional<Instant> started,
    Optional<Instant> ended,
    Optional<AttemptEnd> end,
    Optional<StopCause> stopCause,
    Optional<String> stoppedBy) {}
