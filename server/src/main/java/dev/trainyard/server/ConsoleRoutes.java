package dev.trainyard.server;

import dev.trainyard.server.file.OutputRoutes;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.queue.QueuePipeline;
import java.nio.file.Path;

/** What people look at and do around their jobs. */
final class ConsoleRoutes {
  private final Foundation foundation;
  private final JobService jobs;
  private final QueuePipeline queue;

  ConsoleRoutes(Foundation foundation, JobService jobs, QueuePipeline queue) {
    this.foundation = foundation;
    this.jobs = jobs;
    this.queue = queue;
  }

  void addTo(Routes routes) {
    Path data = foundation.directory().path();
    new OutputRoutes(jobs, job -> JobFilesDirectory.output(data, job)).addTo(routes);
  }
}
