package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Caller;
import java.util.List;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * Whether somebody may submit a job: into this virtual cluster, and one more at all. Asked within
 * the work that stores the job, so that neither the grant nor the virtual cluster can go meanwhile.
 */
public final class TeamAdmission {
  private final UserLimits limits;
  private final Storages storages;
  private final Capabilities capabilities;

  public TeamAdmission(Teams teams) {
    this.limits = teams.limits();
    this.storages = teams.storages();
    this.capabilities = teams.capabilities();
  }

  /** The job was stored: notes what it uses, or refuses it after all. */
  public void stored(Handle handle, Caller caller, JobId job, JobSpec spec) {
    storages.admit(handle, caller, job, spec.extras());
  }

  public void check(Handle handle, Caller caller, JobSpec spec) {
    String cluster = spec.virtualCluster();
    if (!Teams.mayUse(handle, caller.userId(), caller.admin(), cluster)) {
      throw caller.admin()
          ? Teams.noVirtualCluster(cluster)
          : notGranted(handle, caller.userId(), cluster);
    }
    capabilities.admit(handle, caller.userId(), spec);
    OptionalLong most = limits.of(handle, caller.userId()).of(Limit.UNFINISHED_JOBS);
    if (most.isPresent() && unfinished(handle, caller.userId(), most.getAsLong())) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.too-many-jobs", "user", caller.userName())
              .with("most", most.getAsLong()));
    }
  }

  /** One answer for a virtual cluster that is others' and for one that is not there. */
  private static AppException notGranted(Handle handle, String userId, String cluster) {
    List<String> granted = GroupStore.grantsOf(handle, userId, GroupStore.VIRTUAL_CLUSTER);
    return new AppException(
        ErrorCode.FORBIDDEN,
        granted.isEmpty()
            ? Message.of("error.vc-none-granted", "vc", cluster)
            : Message.of("error.vc-not-granted", "vc", cluster)
                .with("granted", String.join(", ", granted)));
  }

  /** Whether as many as this are unfinished; counts no further. */
  private static boolean unfinished(Handle handle, String userId, long most) {
    return handle
            .createQuery(
                "select count(*) from (select 1 from job where user_id = :user"
                    + " and state in (<states>) limit :most) as unfinished")
            .bindList("states", LimitStore.UNFINISHED)
            .bind("user", userId)
            .bind("most", most)
            .mapTo(Long.class)
            .one()
        >= most;
  }
}
