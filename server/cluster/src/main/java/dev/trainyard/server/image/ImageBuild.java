package dev.trainyard.server.image;

import dev.trainyard.jobfile.dockerfile.Dockerfile;
import dev.trainyard.model.ImageReference;
import java.util.Map;

/**
 * The image build of a job. The database stores this data with the job.
 *
 * @param admin whether the submitter was an administrator at submission
 * @param dockerfileText content of the Dockerfile
 * @param arguments build arguments
 * @param directory name of the directory that contains the build context
 */
record ImageBuild(
    ImageReference reference,
    boolean push,
    boolean admin,
    String dockerfileText,
    Map<String, String> arguments,
    String directory) {
  Dockerfile dockerfile() {
    return Dockerfile.parse(dockerfileText)
        .dockerfile()
        .orElseThrow(() -> new IllegalStateException("a stored Dockerfile is invalid"));
  }
}
