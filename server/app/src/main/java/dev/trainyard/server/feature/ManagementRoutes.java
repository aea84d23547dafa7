package dev.trainyard.server.feature;

import dev.trainyard.engine.Engine;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.announcement.AnnouncementRoutes;
import dev.trainyard.server.announcement.AnnouncementService;
import dev.trainyard.server.announcement.ContactRoutes;
import dev.trainyard.server.file.FileRoutes;
import dev.trainyard.server.home.HomeRoutes;
import dev.trainyard.server.home.PlatformSummary;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.node.NodeRoutes;
import dev.trainyard.server.output.OutputRoutes;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.queue.SavedOutput;
import dev.trainyard.server.storage.PlatformStorages;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.team.CapabilityRoutes;
import dev.trainyard.server.team.LimitRoutes;
import dev.trainyard.server.team.StorageRoutes;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualClusterRoutes;
import dev.trainyard.server.template.TemplateRoutes;
import dev.trainyard.server.template.TemplateService;
import dev.trainyard.server.usage.UsageRoutes;

/**
 * Adds the endpoints for files, output files, nodes, announcements, contact information, templates,
 * usage, limits, the home page and teams.
 */
final class ManagementRoutes {
  private final CoreServices core;
  private final Engine engine;
  private final JobService jobs;
  private final QueuePipeline queue;

  ManagementRoutes(CoreServices core, Engine engine, JobService jobs, QueuePipeline queue) {
    this.core = core;
    this.engine = engine;
    this.jobs = jobs;
    this.queue = queue;
  }

  void addTo(Routes routes) {
    addTeams(routes);
    StorageDirectories directories = new StorageDirectories(core.directory().path());
    new OutputRoutes(
            jobs,
            job -> SavedOutput.of(directories, job, one -> jobs.config(one).spec()),
            core.userFiles()::makeReadable)
        .addTo(routes);
    new FileRoutes(
            new PlatformStorages(directories, engine, core.clock()),
            caller -> core.users().find(caller.userName()).orElseThrow().idRange(),
            core.disks()::requireSpaceNow)
        .addTo(routes);
    CordonService cordons = new CordonService(core.db(), core.clock());
    new NodeRoutes(engine, queue, jobs, cordons, core.clock()).addTo(routes);
    AnnouncementService announcements = new AnnouncementService(core.db(), core.clock());
    new AnnouncementRoutes(announcements).addTo(routes);
    new ContactRoutes(core.db(), core.clock()).addTo(routes);
    new TemplateRoutes(new TemplateService(core.db(), core.clock())).addTo(routes);
    new UsageRoutes(core.db(), core.clock(), queue::nodes).addTo(routes);
    LimitRoutes limits = new LimitRoutes(core.teams(), core.db(), queue::uses);
    limits.addTo(routes);
    PlatformSummary platform =
        new PlatformSummary(
            core.db(), new JobStore(core.clock()), queue, cordons, core.status()::warnings);
    new HomeRoutes(jobs, queue, cordons, limits, announcements, platform).addTo(routes);
  }

  private void addTeams(Routes routes) {
    TeamService teams = core.teams();
    new VirtualClusterRoutes(teams, queue::uses, queue::nodes).addTo(routes);
    new StorageRoutes(teams.storages(), teams).addTo(routes);
    new CapabilityRoutes(teams).addTo(routes);
  }
}
