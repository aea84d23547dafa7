package dev.trainyard.server.retention;

import dev.trainyard.model.JobId;
import java.time.Instant;

/** The logs of a finished job that have not been deleted. */
record KeptLog(JobId job, Instant ended, long bytes) {}
