package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which page of which jobs.
 *
 * @param owners ids of users; empty for everybody
 * @param states empty for all
 * @param namePrefix empty for all
 * @param after the last id of the page before
 */
public record JobFilter(
    Optional<List<String>> owners,
    Set<JobState> states,
    String namePrefix,
    Optional<JobId> after,
    int limit) {}
