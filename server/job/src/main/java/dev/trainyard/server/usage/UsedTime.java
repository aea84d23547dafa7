package dev.trainyard.server.usage;

import java.time.Instant;
import java.util.List;

/**
 * The resources that one run of a task used over a period.
 *
 * @param who the user or virtual cluster that it counts for
 * @param devices the types of its devices
 */
record UsedTime(
    String job, String who, long cpus, List<String> devices, Instant from, Instant until) {}
