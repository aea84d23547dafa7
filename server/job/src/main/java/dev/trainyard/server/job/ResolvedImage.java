package dev.trainyard.server.job;

/**
 * An image of a job file as it was resolved when the job last started.
 *
 * @param image name as written in the job file
 * @param reference the full reference
 * @param id ID of the image that the reference resolved to
 */
public record ResolvedImage(String image, String reference, String id) {}
