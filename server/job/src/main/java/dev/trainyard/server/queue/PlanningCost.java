package dev.trainyard.server.queue;

import java.time.Duration;

/** Number and total duration of plans since the start. */
public record PlanningCost(long plans, Duration totalDuration) {}
