package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.Quotas;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/** Limits of users. Thread-safe. */
public final class UserLimits {
  private final Db db;
  private final Audit audit;
  private final Limits defaults;
  private final Runnable changeListener;

  /**
   * @param defaults limits that apply where neither the user nor a group has a limit
   * @param changeListener called after every change
   */
  UserLimits(Db db, Audit audit, Limits defaults, Runnable changeListener) {
    this.db = db;
    this.audit = audit;
    this.defaults = defaults;
    this.changeListener = changeListener;
  }

  /** Returns the user's own limits, without those of groups and defaults. */
  public Limits ownLimits(String userName) {
    return db.read(handle -> LimitStore.loadOwn(handle, TeamUserStore.load(handle, userName).id()));
  }

  /** Returns the effective limits of this user. */
  public Limits of(String userId) {
    return db.read(handle -> of(handle, userId));
  }

  Limits of(Handle handle, String userId) {
    return LimitStore.loadOwn(handle, userId)
        .orElse(LimitStore.ofGroups(handle, userId))
        .orElse(defaults);
  }

  /**
   * Changes the user's own limits.
   *
   * @param change receives the previous limits and returns the new limits
   */
  public Limits change(Actor actor, String userName, UnaryOperator<Limits> change) {
    Limits after =
        db.write(
            handle -> {
              TeamUser user = TeamUserStore.load(handle, userName);
              Limits before = LimitStore.loadOwn(handle, user.id());
              Limits limits = change.apply(before);
              LimitStore.put(handle, user.id(), limits);
              audit.record(
                  handle,
                  actor,
                  "user.limits",
                  "user:" + user.name(),
                  StoredLimits.view(before),
                  StoredLimits.view(limits));
              return limits;
            });
    changeListener.run();
    return after;
  }

  /** Returns all quotas and limits that apply to running jobs, for the planner. */
  public Quotas quotas() {
    return db.read(
        handle -> {
          Map<String, Quota> clusters = new HashMap<>();
          for (VirtualCluster cluster : VirtualClusterStore.list(handle)) {
            if (!cluster.quota().isUnlimited()) {
              clusters.put(cluster.name(), cluster.quota());
            }
          }
          Quota defaultQuota = defaults.runningQuota();
          Map<String, Quota> users = new HashMap<>();
          LimitStore.listIndividual(handle)
              .forEach(
                  (name, limits) -> {
                    Quota quota = limits.orElse(defaults).runningQuota();
                    if (!quota.equals(defaultQuota)) {
                      users.put(name, quota);
                    }
                  });
          return new Quotas(clusters, defaultQuota, users, RevokedAccessStore.read(handle));
        });
  }
}
