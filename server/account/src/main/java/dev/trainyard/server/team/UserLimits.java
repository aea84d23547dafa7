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

/** How much each user may have at a time. Thread-safe. */
public final class UserLimits {
  private final Db db;
  private final Audit audit;
  private final Limits everybody;
  private final Runnable changed;

  /**
   * @param everybody what counts for those of whom nothing else is said
   * @param changed is told after a change
   */
  UserLimits(Db db, Audit audit, Limits everybody, Runnable changed) {
    this.db = db;
    this.audit = audit;
    this.everybody = everybody;
    this.changed = changed;
  }

  /** What was said of this user alone. */
  public Limits own(String userName) {
    return db.read(handle -> LimitStore.own(handle, TeamUser.load(handle, userName).id()));
  }

  /** What counts for this user. */
  public Limits of(String userId) {
    return db.read(handle -> of(handle, userId));
  }

  Limits of(Handle handle, String userId) {
    return LimitStore.own(handle, userId)
        .orElse(LimitStore.ofGroups(handle, userId))
        .orElse(everybody);
  }

  /**
   * @param change gives the user's own limits as they shall be
   */
  public Limits change(Actor actor, String userName, UnaryOperator<Limits> change) {
    Limits after =
        db.write(
            handle -> {
              TeamUser user = TeamUser.load(handle, userName);
              Limits before = LimitStore.own(handle, user.id());
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
    changed.run();
    return after;
  }

  /** All limits on what runs, for the planner. */
  public Quotas quotas() {
    return db.read(
        handle -> {
          Map<String, Quota> clusters = new HashMap<>();
          for (VirtualCluster cluster : VirtualClusterStore.list(handle)) {
            if (!cluster.quota().isUnlimited()) {
              clusters.put(cluster.name(), cluster.quota());
            }
          }
          Quota usual = everybody.running();
          Map<String, Quota> users = new HashMap<>();
          LimitStore.special(handle)
              .forEach(
                  (name, limits) -> {
                    Quota quota = limits.orElse(everybody).running();
                    if (!quota.equals(usual)) {
                      users.put(name, quota);
                    }
                  });
          return new Quotas(clusters, usual, users, RevokedAccessStore.read(handle));
        });
  }
}
