package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt as it is stored.
 *
 * @param ended once no task is left
 * @param end once it is decided, though tasks may still be ending
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
