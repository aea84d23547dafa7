package dev.trainyard.engine;

import dev.trainyard.model.DataSize;
import java.time.Duration;

/**
 * Resource usage of a running task.
 *
 * @param cpuTime CPU time of all processes of the task since it started
 * @param memory current memory usage
 */
public record Usage(Duration cpuTime, DataSize memory, int processes) {}
