package dev.trainyard.server.usage;

import java.time.Instant;
import java.util.List;

/**
 * How long one run of a task had its share.
 *
 * @param who the user or virtual cluster it counts for
 * @param devices the types of its cards
 */
record UsedTime(
    String job, String who, long cpus, List<String> devices, Instant from, Instant until) {}
