package dev.trainyard.engine;

import dev.trainyard.model.DataSize;
import java.time.Duration;

/**
 * Resource usage of a running task.
 *
 * @param cpuTime CPU time of all its processes since its start
 * @param memory current memory usage
 */
public record Usage(Duration cpuTime, DataSize memory, int processes) {}
