package dev.trainyard.server.retention;

import dev.trainyard.model.JobId;
import java.time.Instant;

/** The logs of a finished job. */
record KeptLog(JobId job, Instant ended, long bytes) {}
