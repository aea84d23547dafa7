package dev.trainyard.server;

import dev.trainyard.engine.Engine;
import dev.trainyard.server.announcement.AnnouncementRoutes;
import dev.trainyard.server.announcement.Announcements;
import dev.trainyard.server.file.OutputRoutes;
import dev.trainyard.server.home.HomeRoutes;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.node.Cordons;
import dev.trainyard.server.node.NodeRoutes;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.team.LimitRoutes;
import dev.trainyard.server.template.TemplateRoutes;
import dev.trainyard.server.template.Templates;
import dev.trainyard.server.usage.UsageRoutes;
import java.nio.file.Path;

/** What people look at and do around their jobs. */
final class ConsoleRoutes {
  private final Foundation foundation;
  private final Engine engine;
  private final JobService jobs;
  private final QueuePipeline queue;

  ConsoleRoutes(Foundation foundation, Engine engine, JobService jobs, QueuePipeline queue) {
    this.foundation = foundation;
    this.engine = engine;
    this.jobs = jobs;
    this.queue = queue;
  }

  void addTo(Routes routes) {
    Path data = foundation.directory().path();
    new OutputRoutes(jobs, job -> JobFilesDirectory.output(data, job), foundation.userFiles()::open)
        .addTo(routes);
    Cordons cordons = new Cordons(foundation.db(), foundation.clock());
    new NodeRoutes(engine.name(), queue, jobs, cordons).addTo(routes);
    Announcements announcements = new Announcements(foundation.db(), foundation.clock());
    new AnnouncementRoutes(announcements).addTo(routes);
    new TemplateRoutes(new Templates(foundation.db(), foundation.clock())).addTo(routes);
    new UsageRoutes(foundation.db(), foundation.clock(), queue::nodes).addTo(routes);
    LimitRoutes limits = new LimitRoutes(foundation.teams(), foundation.db(), queue::uses);
    limits.addTo(routes);
    new HomeRoutes(foundation.db(), jobs, queue, cordons, limits, announcements).addTo(routes);
  }
}
