package dev.trainyard.server.usage;

import java.time.Instant;
import java.util.List;

/**
 * The resources that one run of a task used over a period.
 *
 * @param subject the user or virtual cluster to which the usage belongs
 * @param devices the types of the devices that the run used, one entry per device
 */
record UsedTime(
    String job, String subject, long cpus, List<String> devices, Instant from, Instant until) {}
