package dev.trainyard.server.queue;

import java.time.Duration;

/** Number and total duration of planning passes since the server started. */
public record PlanningCost(long plans, Duration totalDuration) {}
