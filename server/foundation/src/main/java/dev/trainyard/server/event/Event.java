package dev.trainyard.server.event;

import java.time.Instant;

/**
 * A stored event.
 *
 * @param id larger than the ID of every earlier event
 * @param userName the owner of the job
 */
public record Event(long id, Instant time, String userName, String jobName, NewEvent details) {}
