package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Lists jobs, newest first, with queries whose cost does not depend on the number of jobs. There
 * are three cases:
 *
 * <ol>
 *   <li>By owner and state: one branch per owner and state reads the newest rows from a range of
 *       the index (user_id, state, id) or (state, id); the newest rows of the union of the branches
 *       are the page. Without branches, a database would sort all rows of the range, or scan the
 *       whole table for rare rows.
 *   <li>By name prefix, if few names match: reads these jobs from the index of names and sorts
 *       them.
 *   <li>By name prefix, if many names match: scans the newest jobs as in case 1 until the page is
 *       full.
 * </ol>
 *
 * <p>Neither SQLite nor PostgreSQL reliably chooses the better of cases 2 and 3. Therefore, this
 * class first counts the matches (up to a limit) and then prevents the slower plan: {@code name ||
 * ''} cannot use an index of names, {@code id || ''} cannot use the order of IDs.
 */
final class JobListQuery {
  /**
   * Up to this number of matching jobs, sorting is fast; with more matching jobs, a scan soon fills
   * the page.
   */
  private static final int MAX_SORTED_NAMES = 20_000;

  private final JobFilter filter;
  private final Map<String, Object> bindings = new LinkedHashMap<>();

  JobListQuery(JobFilter filter) {
    this.filter = filter;
    bindings.put("limit", filter.limit());
    filter.after().ifPresent(after -> bindings.put("after", after.value()));
    if (hasPrefix()) {
      bindings.put("from", filter.namePrefix());
      bindings.put("to", endOfPrefix(filter.namePrefix()));
    }
    List<String> owners = filter.owners().orElse(List.of());
    for (int i = 0; i < owners.size(); i++) {
      bindings.put("owner" + i, owners.get(i));
    }
  }

  List<Job> run(Handle handle) {
    if (filter.owners().isPresent() && filter.owners().get().isEmpty()) {
      return List.of();
    }
    String sql = hasPrefix() && matchesFewNames(handle) ? queryByName() : queryNewestFirst();
    return bindValues(handle.createQuery(sql)).map((rows, _) -> JobRow.job(rows)).list();
  }

  private boolean hasPrefix() {
    return !filter.namePrefix().isEmpty();
  }

  /** Returns the smallest text that is greater than all texts with this prefix. */
  private static String endOfPrefix(String prefix) {
    int last = prefix.length() - 1;
    return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }

  private boolean matchesFewNames(Handle handle) {
    String sql =
        "select count(*) from (select 1 from job where name >= :from and name < :to"
            + ownerCondition()
            + " limit "
            + (MAX_SORTED_NAMES + 1)
            + ") as matching";
    Query query = handle.createQuery(sql);
    bindings.forEach(
        (name, value) -> {
          if (sql.contains(":" + name)) {
            query.bind(name, value);
          }
        });
    return query.mapTo(Integer.class).one() <= MAX_SORTED_NAMES;
  }

  private String queryByName() {
    return "select "
        + JobRow.COLUMNS
        + " from job where name >= :from and name < :to"
        + ownerCondition()
        + stateCondition()
        + afterCondition("id || ''")
        + " order by id || '' desc limit :limit";
  }

  private String ownerCondition() {
    if (filter.owners().isEmpty()) {
      return "";
    }
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < filter.owners().get().size(); i++) {
      parameters.add(":owner" + i);
    }
    return " and user_id in (" + String.join(", ", parameters) + ")";
  }

  private String stateCondition() {
    return filter.states().isEmpty()
        ? ""
        : " and state || '' in ('"
            + String.join("','", filter.states().stream().map(Enum::name).toList())
            + "')";
  }

  private String afterCondition(String id) {
    return filter.after().isPresent() ? " and " + id + " < :after" : "";
  }

  private String queryNewestFirst() {
    if (filter.owners().isEmpty() && filter.states().isEmpty()) {
      return selectNewest("");
    }
    Set<JobState> states =
        filter.states().isEmpty() ? EnumSet.allOf(JobState.class) : filter.states();
    List<String> owners = new ArrayList<>();
    if (filter.owners().isEmpty()) {
      owners.add("");
    } else {
      for (int i = 0; i < filter.owners().get().size(); i++) {
        owners.add("user_id = :owner" + i + " and ");
      }
    }
    List<String> branches = new ArrayList<>();
    for (String owner : owners) {
      for (JobState state : states) {
        String branch = selectNewest(owner + "state = '" + state + "'");
        branches.add("select * from (" + branch + ") as branch" + branches.size());
      }
    }
    return String.join(" union all ", branches) + " order by id desc limit :limit";
  }

  private String selectNewest(String condition) {
    List<String> conditions = new ArrayList<>();
    if (!condition.isEmpty()) {
      conditions.add(condition);
    }
    if (filter.after().isPresent()) {
      conditions.add("id < :after");
    }
    if (hasPrefix()) {
      conditions.add("name || '' >= :from and name || '' < :to");
    }
    return "select "
        + JobRow.COLUMNS
        + " from job"
        + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions))
        + " order by id desc limit :limit";
  }

  private Query bindValues(Query query) {
    bindings.forEach(query::bind);
    return query;
  }
}
