package dev.trainyard.server.team;

import dev.trainyard.model.JobState;
import dev.trainyard.server.team.UnfinishedLoad.Load;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * SQL statements for the limits of groups and of single users, and for the load that is compared
 * with the limits. Every method runs in the caller's transaction.
 */
final class LimitStore {
  /** States of unfinished jobs. */
  static final List<String> UNFINISHED =
      Arrays.stream(JobState.values())
          .filter(state -> !state.isFinal())
          .map(JobState::name)
          .toList();

  private LimitStore() {}

  static Limits loadOwn(Handle handle, String userId) {
    return handle
        .createQuery("select limits from user_limit where user_id = :user")
        .bind("user", userId)
        .mapTo(String.class)
        .findOne()
        .map(StoredLimits::limits)
        .orElse(Limits.NONE);
  }

  static void put(Handle handle, String userId, Limits limits) {
    handle.execute("delete from user_limit where user_id = ?", userId);
    if (!limits.values().isEmpty()) {
      handle.execute(
          "insert into user_limit (user_id, limits) values (?, ?)",
          userId,
          StoredLimits.toJson(StoredLimits.view(limits)));
    }
  }

  /**
   * Returns the limits from the user's groups; for each limit, the most generous value of these
   * groups.
   */
  static Limits ofGroups(Handle handle, String userId) {
    List<Limits> groupLimits =
        handle
            .createQuery(
                "select g.limits from team_group g join group_member m on m.group_name = g.name"
                    + " where m.user_id = :user and g.limits <> '{}'")
            .bind("user", userId)
            .mapTo(String.class)
            .map(StoredLimits::limits)
            .list();
    return groupLimits.stream().reduce(Limits::mostGenerous).orElse(Limits.NONE);
  }

  /** Returns the limits of all users who have limits of their own or from a group, by user name. */
  static Map<String, Limits> listIndividual(Handle handle) {
    Map<String, Limits> limitsByUser = new HashMap<>();
    handle
        .createQuery(
            "select u.name, g.limits from team_group g"
                + " join group_member m on m.group_name = g.name join users u on u.id = m.user_id"
                + " where g.limits <> '{}'")
        .map((rows, _) -> Map.entry(rows.getString(1), StoredLimits.limits(rows.getString(2))))
        .forEach(
            entry -> limitsByUser.merge(entry.getKey(), entry.getValue(), Limits::mostGenerous));
    handle
        .createQuery("select u.name, l.limits from user_limit l join users u on u.id = l.user_id")
        .map((rows, _) -> Map.entry(rows.getString(1), StoredLimits.limits(rows.getString(2))))
        .forEach(
            entry ->
                limitsByUser.merge(
                    entry.getKey(), entry.getValue(), (group, own) -> own.orElse(group)));
    return limitsByUser;
  }

  /**
   * Returns the load of a user: the number of unfinished jobs and of tasks in them, and the total
   * size of their job files.
   */
  static Load load(Handle handle, String userId) {
    return handle
        .createQuery(
            "select count(*), coalesce(sum(task_count), 0), coalesce(sum(file_bytes), 0)"
                + " from job where user_id = :user and state in (<states>)")
        .bindList("states", UNFINISHED)
        .bind("user", userId)
        .map((rows, _) -> new Load(rows.getLong(1), rows.getLong(2), rows.getLong(3)))
        .one();
  }
}
