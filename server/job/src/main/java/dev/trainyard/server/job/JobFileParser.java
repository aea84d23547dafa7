package dev.trainyard.server.job;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.jobfile.ParsedJob;

/**
 * Parses submitted job files.
 *
 * @param requireDiskSpace throws an exception if the disk is too full to accept jobs
 * @param usesImages whether the engine uses images; if so, image names must be valid
 */
public record JobFileParser(Runnable requireDiskSpace, boolean usesImages) {
  public ParsedJob parse(String text) {
    requireDiskSpace.run();
    ParsedJob parsed = JobFiles.parse(text).rejecting(JobFiles.MASKED);
    return usesImages ? parsed.rejecting(JobFiles.IMAGE_NAME) : parsed;
  }
}
