package dev.trainyard.engine;

import dev.trainyard.model.DataSize;
import java.time.Duration;

/**
 * What a running task uses.
 *
 * @param cpuTime of all its processes since its start
 * @param memory now
 */
public record Usage(Duration cpuTime, DataSize memory, int processes) {}
