package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Selects a page of jobs.
 *
 * @param owners user IDs of the owners; if not present, jobs of all users are selected
 * @param states states of the jobs; empty for all states
 * @param namePrefix prefix of the job names; empty for all names
 * @param after the last ID of the previous page; empty for the first page
 */
public record JobFilter(
    Optional<List<String>> owners,
    Set<JobState> states,
    String namePrefix,
    Optional<JobId> after,
    int limit) {}
