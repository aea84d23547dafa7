package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt as it is stored.
 *
 * @param ended set once no task is left
 * @param end set once the outcome is decided, although tasks may still be ending
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
