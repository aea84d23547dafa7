package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * Decides whether a user may submit a job: the virtual cluster, the storages and the capabilities
 * must be granted, and the user's limits must permit another job. Runs in the transaction that
 * stores the job, so that neither a grant nor the virtual cluster can be removed in the meantime.
 */
public final class TeamAdmission implements JobAdmission {
  private static final long MEGABYTE = 1 << 20;

  private final UserLimits limits;
  private final StorageService storages;
  private final CapabilityService capabilities;
  private final UnfinishedLoad unfinishedLoad = new UnfinishedLoad();

  public TeamAdmission(TeamService teams) {
    this.limits = teams.limits();
    this.storages = teams.storages();
    this.capabilities = teams.capabilities();
  }

  /**
   * Records the storages of a stored job and adds the job to the user's load; throws if a storage
   * is not granted.
   */
  @Override
  public void onStored(Handle handle, Caller caller, JobId job, JobSpec spec, long bytes) {
    storages.admit(handle, caller, job, spec.extras());
    unfinishedLoad.add(caller.userId(), new UnfinishedLoad.Load(1, spec.taskCount(), bytes));
  }

  /**
   * Returns the requested virtual cluster. If this is {@code default}, the user may not use it, and
   * exactly one virtual cluster is granted to the user, returns that virtual cluster. Therefore job
   * files and templates without a virtual cluster, or with {@code default}, work for such a user
   * too.
   */
  @Override
  public String virtualCluster(Handle handle, Caller caller, String requested) {
    if (!requested.equals(VirtualCluster.DEFAULT)
        || TeamService.mayUse(handle, caller.userId(), caller.admin(), requested)) {
      return requested;
    }
    List<String> granted = GroupStore.grantsOf(handle, caller.userId(), GroupStore.VIRTUAL_CLUSTER);
    return granted.size() == 1 ? granted.getFirst() : requested;
  }

  /**
   * @param bytes size of the job file or of its expanded spec, whichever is larger
   */
  @Override
  public void check(Handle handle, Caller caller, JobSpec spec, long bytes) {
    String cluster = spec.virtualCluster();
    if (!TeamService.mayUse(handle, caller.userId(), caller.admin(), cluster)) {
      throw caller.admin()
          ? TeamService.noVirtualCluster(cluster)
          : notGranted(handle, caller.userId(), cluster);
    }
    capabilities.admit(handle, caller.userId(), spec);
    checkLoad(handle, caller, new UnfinishedLoad.Load(1, spec.taskCount(), bytes));
  }

  private void checkLoad(Handle handle, Caller caller, UnfinishedLoad.Load added) {
    Limits userLimits = limits.of(handle, caller.userId());
    if (userLimits.of(Limit.UNFINISHED_JOBS).isEmpty()
        && userLimits.of(Limit.UNFINISHED_TASKS).isEmpty()
        && userLimits.of(Limit.UNFINISHED_FILES).isEmpty()) {
      return;
    }
    UnfinishedLoad.Load used =
        unfinishedLoad.of(
            handle,
            caller.userId(),
            currentLoad -> limitViolation(caller, userLimits, currentLoad, added).isEmpty());
    Optional<Message> limitViolation = limitViolation(caller, userLimits, used, added);
    if (limitViolation.isPresent()) {
      throw new AppException(ErrorCode.CONFLICT, limitViolation.get());
    }
  }

  private static Optional<Message> limitViolation(
      Caller caller, Limits userLimits, UnfinishedLoad.Load used, UnfinishedLoad.Load added) {
    OptionalLong maxJobs = userLimits.of(Limit.UNFINISHED_JOBS);
    if (maxJobs.isPresent() && used.jobs() + added.jobs() > maxJobs.getAsLong()) {
      return Optional.of(
          Message.of("error.too-many-jobs", "user", caller.userName())
              .with("most", maxJobs.getAsLong()));
    }
    OptionalLong maxTasks = userLimits.of(Limit.UNFINISHED_TASKS);
    if (maxTasks.isPresent() && used.tasks() + added.tasks() > maxTasks.getAsLong()) {
      return Optional.of(
          Message.of("error.too-many-tasks", "user", caller.userName())
              .with("most", maxTasks.getAsLong())
              .with("used", used.tasks())
              .with("tasks", added.tasks()));
    }
    OptionalLong maxFilesMb = userLimits.of(Limit.UNFINISHED_FILES);
    if (maxFilesMb.isPresent()
        && used.bytes() + added.bytes() > maxFilesMb.getAsLong() * MEGABYTE) {
      return Optional.of(
          Message.of("error.too-large-files", "user", caller.userName())
              .with("most", maxFilesMb.getAsLong()));
    }
    return Optional.empty();
  }

  /**
   * Returns the error for a virtual cluster that is not granted. It is the same for a virtual
   * cluster that does not exist.
   */
  private static AppException notGranted(Handle handle, String userId, String cluster) {
    List<String> granted = GroupStore.grantsOf(handle, userId, GroupStore.VIRTUAL_CLUSTER);
    return new AppException(
        ErrorCode.FORBIDDEN,
        granted.isEmpty()
            ? Message.of("error.vc-none-granted", "vc", cluster)
            : Message.of("error.vc-not-granted", "vc", cluster)
                .with("granted", String.join(", ", granted)));
  }
}
