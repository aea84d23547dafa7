package dev.trainyard.server.feature;

import dev.trainyard.engine.Engine;
import dev.trainyard.scheduler.Planner;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.config.DeletedFiles;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.image.Images;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobFileParser;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.plugin.JobKeys;
import dev.trainyard.server.queue.JobNotices;
import dev.trainyard.server.queue.JobOwners;
import dev.trainyard.server.queue.LaunchServices;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.queue.QueueSettings;
import dev.trainyard.server.queue.TaskSpecs;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.secret.KeyRing;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.storage.StorageDirectories;
import dev.trainyard.server.team.TeamAdmission;
import java.nio.file.Path;

/**
 * The services for jobs. The constructor creates and connects the services but does not start them.
 */
final class JobServices {
  final JobStore store;
  final AttemptStore attempts = new AttemptStore();
  final JobChanges changes = new JobChanges();
  final LogStore logs;
  final DeletedFiles deletedFiles;
  final KeyRing keys;
  final JobSecrets secrets;
  final Images images;
  final TaskAccess taskAccess;
  final QueuePipeline queue;
  final JobService jobs;

  JobServices(CoreServices core, Engine engine, Planner planner) {
    Path data = core.directory().path();
    JobOwners owners = new JobOwners(core.users());
    this.store = new JobStore(core.clock());
    this.logs = new LogStore(data, core.settings().value(Settings.LOG_LIMIT));
    this.deletedFiles = new DeletedFiles(data, core.userFiles()::delete);
    this.taskAccess = new TaskAccess(core, engine, store, owners::of);
    this.keys = KeyRing.open(core.directory(), () -> JobSecrets.exist(core.db()));
    this.secrets = new JobSecrets(keys).warnAboutMissingKeys(core.db());
    this.images =
        new Images(
            engine,
            core.db(),
            data,
            core.settings(),
            new LoginSecrets(secrets),
            store,
            core.clock());
    this.queue = queue(core, engine, planner, data, owners);
    this.jobs =
        new JobService(
            core.db(),
            store,
            attempts,
            queue,
            secrets,
            changes,
            new JobFileParser(core.disks()::requireSpace, engine.images().isPresent())::parse,
            new TeamAdmission(core.teams()),
            JobNotices.of(engine),
            new StorageDirectories(data)
                .jobDeletion(deletedFiles::delete)
                .andThen(job -> deletedFiles.delete(logs.directory(job))),
            core.clock());
  }

  private QueuePipeline queue(
      CoreServices core, Engine engine, Planner planner, Path data, JobOwners owners) {
    Settings settings = core.settings();
    return new QueuePipeline(
        core.db(),
        store,
        attempts,
        changes,
        engine,
        planner,
        new TaskSpecs(
            data, logs, settings.value(Settings.LOG_LIMIT), taskAccess::variables, images.builds()),
        new LaunchServices(
            owners::of,
            secrets,
            images.provisioner(),
            images.builds(),
            new JobKeys(data),
            logs,
            core.teams().storages()::usedBy,
            (owner, spec) -> core.teams().capabilities().missing(owner.id(), spec)),
        core.teams().limits()::quotas,
        new CordonService(core.db(), core.clock())::nodes,
        core.clock(),
        QueueSettings.DEFAULT
            .withStopGrace(settings.value(Settings.STOP_GRACE))
            .withPorts(
                settings.value(Settings.TASK_PORTS),
                settings.value(Settings.FIXED_PORTS),
                settings.value(Settings.JOB_PORTS)));
  }
}
