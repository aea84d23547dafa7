package dev.trainyard.server;

import dev.trainyard.engine.Engine;
import dev.trainyard.server.announcement.AnnouncementRoutes;
import dev.trainyard.server.announcement.AnnouncementService;
import dev.trainyard.server.file.OutputRoutes;
import dev.trainyard.server.home.HomeRoutes;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.node.NodeRoutes;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.team.LimitRoutes;
import dev.trainyard.server.template.TemplateRoutes;
import dev.trainyard.server.template.TemplateService;
import dev.trainyard.server.usage.UsageRoutes;
import java.nio.file.Path;

/** What people look at and do around their jobs. */
final class ConsoleRoutes {
  private final CoreServices coreServices;
  private final Engine engine;
  private final JobService jobs;
  private final QueuePipeline queue;

  ConsoleRoutes(CoreServices coreServices, Engine engine, JobService jobs, QueuePipeline queue) {
    this.coreServices = coreServices;
    this.engine = engine;
    this.jobs = jobs;
    this.queue = queue;
  }

  void addTo(Routes routes) {
    Path data = coreServices.directory().path();
    new OutputRoutes(
            jobs, job -> JobFilesDirectory.output(data, job), coreServices.userFiles()::open)
        .addTo(routes);
    CordonService cordons = new CordonService(coreServices.db(), coreServices.clock());
    new NodeRoutes(engine.name(), queue, jobs, cordons).addTo(routes);
    AnnouncementService announcements =
        new AnnouncementService(coreServices.db(), coreServices.clock());
    new AnnouncementRoutes(announcements).addTo(routes);
    new TemplateRoutes(new TemplateService(coreServices.db(), coreServices.clock())).addTo(routes);
    new UsageRoutes(coreServices.db(), coreServices.clock(), queue::nodes).addTo(routes);
    LimitRoutes limits = new LimitRoutes(coreServices.teams(), coreServices.db(), queue::uses);
    limits.addTo(routes);
    new HomeRoutes(coreServices.db(), jobs, queue, cordons, limits, announcements)
        .addTo(routes);
  }
}
