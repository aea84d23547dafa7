package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.CapabilityStore.Holder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Kernel capabilities beyond the default set. A job gets such a capability only if an administrator
 * has granted it and the job requests it. Revoking a grant affects all tasks that start later.
 * Thread-safe.
 */
public final class CapabilityService {
  private final Db db;
  private final Audit audit;

  CapabilityService(Db db, Audit audit) {
    this.db = db;
    this.audit = audit;
  }

  List<CapabilityGrant> list() {
    return db.read(CapabilityStore::list);
  }

  /** Grants a capability to a user; does nothing if it is already granted. */
  void grantToUser(Actor actor, String user, Capability capability) {
    db.write(
        handle -> {
          TeamUser teamUser = TeamUserStore.load(handle, user);
          grant(handle, actor, Holder.USER, teamUser.id(), "user:" + teamUser.name(), capability);
          return null;
        });
  }

  void grantToVirtualCluster(Actor actor, String cluster, Capability capability) {
    db.write(
        handle -> {
          String name = TeamService.loadVirtualCluster(handle, cluster).name();
          grant(handle, actor, Holder.VIRTUAL_CLUSTER, name, "vc:" + name, capability);
          return null;
        });
  }

  private void grant(
      Handle handle, Actor actor, Holder holder, String id, String target, Capability capability) {
    if (CapabilityStore.insert(handle, holder, id, capability, actor.userName(), audit.now())) {
      Map<String, String> after = Map.of("capability", capability.name());
      audit.record(handle, actor, "capability.grant", target, Map.of(), after);
    }
  }

  /**
   * Revokes a capability of a user; does nothing if it is not granted. Running tasks keep the
   * capability until they end.
   */
  void revokeFromUser(Actor actor, String user, Capability capability) {
    db.write(
        handle -> {
          TeamUser teamUser = TeamUserStore.load(handle, user);
          revoke(handle, actor, Holder.USER, teamUser.id(), "user:" + teamUser.name(), capability);
          return null;
        });
  }

  void revokeFromVirtualCluster(Actor actor, String cluster, Capability capability) {
    db.write(
        handle -> {
          String name = TeamService.loadVirtualCluster(handle, cluster).name();
          revoke(handle, actor, Holder.VIRTUAL_CLUSTER, name, "vc:" + name, capability);
          return null;
        });
  }

  private void revoke(
      Handle handle, Actor actor, Holder holder, String id, String target, Capability capability) {
    if (CapabilityStore.delete(handle, holder, id, capability)) {
      Map<String, String> before = Map.of("capability", capability.name());
      audit.record(handle, actor, "capability.revoke", target, before, Map.of());
    }
  }

  /**
   * Throws if a job requests capabilities that are not granted. Runs in the transaction that stores
   * the job.
   */
  void admit(Handle handle, String userId, JobSpec spec) {
    List<Capability> missing = missing(handle, userId, spec);
    if (!missing.isEmpty()) {
      throw new AppException(
          ErrorCode.FORBIDDEN,
          Message.of("error.capability-not-granted", "capabilities", Capability.names(missing))
              .with("vc", spec.virtualCluster()));
    }
  }

  /**
   * Returns the requested capabilities that are currently granted neither to the owner nor to the
   * virtual cluster of a job.
   */
  public List<Capability> missing(String userId, JobSpec spec) {
    return spec.extras().capabilities().isEmpty()
        ? List.of()
        : db.read(handle -> missing(handle, userId, spec));
  }

  private static List<Capability> missing(Handle handle, String userId, JobSpec spec) {
    List<Capability> requested = spec.extras().capabilities();
    if (requested.isEmpty()) {
      return List.of();
    }
    Set<Capability> granted = CapabilityStore.listGranted(handle, userId, spec.virtualCluster());
    return requested.stream().filter(capability -> !granted.contains(capability)).toList();
  }
}
