package dev.trainyard.server;

import dev.trainyard.engine.Engine;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.log.LogRoutes;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.log.LogTail;
import dev.trainyard.server.node.NodeRoutes;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.queue.QueueSettings;
import dev.trainyard.server.queue.TaskSpecs;
import dev.trainyard.server.user.UnfinishedJobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Function;

/** Jobs from submission to deletion, with their logs and the machines they run on. */
public final class JobFeature implements Feature {
  private final Engine engine;
  private final JobStore jobs = new JobStore();
  private final QueuePipeline queue;
  private final JobService service;
  private final LogStore logs;
  private final LogTail tail;
  private final Path data;

  private JobFeature(Foundation foundation, Engine engine) {
    this.engine = engine;
    this.data = foundation.directory().path();
    AttemptStore attempts = new AttemptStore();
    JobChanges changes = new JobChanges();
    this.logs = new LogStore(data);
    this.queue =
        new QueuePipeline(
            foundation.db(),
            jobs,
            attempts,
            changes,
            engine,
            new FifoPlanner(),
            new TaskSpecs(data, logs, foundation.settings().value(Settings.LOG_LIMIT)),
            foundation.users()::findById,
            foundation.clock(),
            new QueueSettings(
                foundation.settings().value(Settings.STOP_GRACE), QueueSettings.DEFAULT.tick()));
    this.service =
        new JobService(
            foundation.db(),
            jobs,
            attempts,
            queue,
            changes,
            JobFiles::parse,
            engine::notices,
            JobFilesDirectory.deletion(data).andThen(logs::delete),
            foundation.clock());
    this.tail = new LogTail(logs, changes, service::isOver);
  }

  /** Jobs on the engine that the settings choose. */
  public static Factory on(Function<Foundation, Engine> engines) {
    return foundation -> new JobFeature(foundation, engines.apply(foundation));
  }

  @Override
  public void addTo(Routes routes) {
    new JobRoutes(service).addTo(routes);
    new LogRoutes(service, logs, tail).addTo(routes);
    new NodeRoutes(engine.name(), queue, service).addTo(routes);
  }

  @Override
  public void start() {
    try {
      // There from the first day, so that the administrator sees where data sets go.
      Files.createDirectories(
          data.resolve("gdata"),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    queue.start();
  }

  @Override
  public UnfinishedJobs unfinishedJobs() {
    return jobs::countUnfinished;
  }

  @Override
  public void close() {
    queue.close();
    tail.close();
    engine.close();
  }
}
