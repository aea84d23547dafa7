package dev.trainyard.server.event;

import java.time.Instant;

/**
 * An event as it is stored.
 *
 * @param id larger than that of every event before
 * @param userName the owner of the job
 */
public record Event(long id, Instant at, String userName, String jobName, NewEvent what) {}
