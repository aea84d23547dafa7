package dev.trainyard.server.queue;

import dev.trainyard.model.Capability;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.StorageMount;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.plugin.JobKeys;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.user.User;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Services of other parts of the server that an attempt needs. All services except {@code logs} and
 * {@code keys} may query the database.
 *
 * @param owners finds the owner of a job; empty if the user was deleted
 * @param secrets decrypts the secrets of a job
 * @param images provides the images of a job
 * @param builds runs jobs that build an image
 * @param keys derives the ssh keys of a job
 * @param logs locates the logs of tasks
 * @param sharedStorages lists the shared storages of a job, each with a flag that is true if the
 *     storage is read-only
 * @param missingCapabilities lists the requested capabilities that the owner is not granted
 */
public record LaunchServices(
    Function<Job, Optional<User>> owners,
    JobSecrets secrets,
    JobImages images,
    JobBuilds builds,
    JobKeys keys,
    LogStore logs,
    Function<JobId, List<Map.Entry<StorageMount, Boolean>>> sharedStorages,
    BiFunction<User, JobSpec, List<Capability>> missingCapabilities) {}
