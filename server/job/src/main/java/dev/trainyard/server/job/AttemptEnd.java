package dev.trainyard.server.job;

import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How an attempt ends. Stored when it is decided, which may be before its last task is gone.
 *
 * @param diagnosis what is believed about its failure; empty for one that succeeded or was stopped
 */
public record AttemptEnd(
    boolean succeeded,
    OptionalInt exitCode,
    Optional<Message> reason,
    Optional<TaskDiagnosis> diagnosis) {}
