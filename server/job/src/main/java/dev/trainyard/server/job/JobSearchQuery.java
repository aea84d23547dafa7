package dev.trainyard.server.job;

import dev.trainyard.model.StopCause;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/**
 * Searches jobs by any criteria, in any order, from any offset. Unlike {@link JobListQuery}, a
 * search may scan every job. Therefore, it first finds the IDs, usually in an index that covers the
 * criteria, and then reads only the jobs of the page.
 */
final class JobSearchQuery {
  private static final int MAX_LISTED_OWNERS = 500;

  private final JobSearch search;
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> bindings = new LinkedHashMap<>();

  JobSearchQuery(Handle handle, JobSearch search, Caller caller) {
    this.search = search;
    boolean onlyOwn =
        switch (search.ownerScope()) {
          case OWN -> true;
          case USUAL -> !caller.admin();
          case TEAM, ALL -> false;
        };
    if (onlyOwn) {
      conditions.add("user_id = :me");
      bindings.put("me", caller.userId());
    } else if (search.ownerScope() == JobSearch.OwnerScope.TEAM || !caller.admin()) {
      // A short list of owners is bound as values, because databases then use the index of owners.
      List<String> ids = SharedJobOwnerStore.of(handle, caller.userId(), MAX_LISTED_OWNERS + 1);
      if (ids.size() <= MAX_LISTED_OWNERS) {
        addOneOf("user_id", ids);
      } else {
        conditions.add("user_id in (" + SharedJobOwnerStore.VISIBLE_OWNER_IDS + ")");
        bindings.put("me", caller.userId());
      }
    }
    addOneOf("user_name", search.users());
    addOneOf("virtual_cluster", search.virtualClusters());
    if (!search.states().isEmpty()) {
      conditions.add(anyOf(search.states().stream().map(JobSearchQuery::stateCondition).toList()));
    }
    if (!search.keyword().isEmpty()) {
      conditions.add("search like :keyword escape '!'");
      bindings.put("keyword", "%" + escaped(search.keyword()) + "%");
    }
    if (!search.tags().isEmpty()) {
      conditions.add(tagCondition("in", search.tags()));
    }
    if (!search.withoutTags().isEmpty()) {
      conditions.add(tagCondition("not in", search.withoutTags()));
    }
    if (!search.priorities().isEmpty()) {
      conditions.add(priorityCondition());
    }
    // Compares IDs instead of times, because IDs increase with the time of submission and are
    // indexed.
    search.submitted().since().ifPresent(time -> addTimeBound("id >= :since", "since", time));
    search.submitted().until().ifPresent(time -> addTimeBound("id < :until", "until", time));
  }

  private void addTimeBound(String condition, String name, Instant time) {
    conditions.add(condition);
    bindings.put(name, Ulid.firstAt(time));
  }

  private static String escaped(String keyword) {
    return keyword
        .toLowerCase(Locale.ROOT)
        .replace("!", "!!")
        .replace("%", "!%")
        .replace("_", "!_");
  }

  private void addOneOf(String column, List<String> values) {
    if (!values.isEmpty()) {
      conditions.add(column + " in (" + placeholders(values) + ")");
    }
  }

  private String placeholders(List<String> values) {
    return values.stream()
        .map(
            value -> {
              String name = "v" + bindings.size();
              bindings.put(name, value);
              return ":" + name;
            })
        .collect(Collectors.joining(", "));
  }

  private static String stateCondition(JobSearch.StateFilter filter) {
    String state = "state = '" + filter.state() + "'";
    return filter.causes().isEmpty()
        ? state
        : "("
            + state
            + " and stop_cause in ('"
            + filter.causes().stream().map(StopCause::name).collect(Collectors.joining("','"))
            + "'))";
  }

  private String tagCondition(String operator, List<String> tags) {
    return "id "
        + operator
        + " (select job_id from job_tag where tag in ("
        + placeholders(tags)
        + "))";
  }

  private String priorityCondition() {
    List<String> alternatives = new ArrayList<>();
    List<String> classes = search.priorities().stream().filter(text -> !text.isEmpty()).toList();
    if (!classes.isEmpty()) {
      alternatives.add("priority in (" + placeholders(classes) + ")");
    }
    if (classes.size() < search.priorities().size()) {
      alternatives.add("priority is null");
    }
    return anyOf(alternatives);
  }

  private static String anyOf(List<String> alternatives) {
    return "(" + String.join(" or ", alternatives) + ")";
  }

  private String where() {
    return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
  }

  /**
   * Returns whether the search lists all jobs in the order of their IDs. In this case, a page
   * contains all jobs between its first and its last job.
   */
  boolean isContiguous() {
    return conditions.isEmpty() && search.order() == JobSearch.Order.SUBMITTED;
  }

  /**
   * @param columns the columns to read of each job
   * @param row maps a row with these columns
   */
  <J> List<J> page(Handle handle, String columns, RowMapper<J> row) {
    // To join jobs with the IDs of a long page, PostgreSQL scans all jobs. If all jobs are listed
    // in ID order, reading the rows directly is faster, unless more rows must be skipped than read.
    boolean readsRowsDirectly = isContiguous() && search.offset() <= search.limit();
    return bindValues(
            handle.createQuery(readsRowsDirectly ? rowsQuery(columns) : idsFirstQuery(columns)))
        .bind("limit", search.limit())
        .bind("offset", search.offset())
        .map(row)
        .list();
  }

  private String rowsQuery(String columns) {
    String idDirection = search.descending() ? " desc" : " asc";
    return "select "
        + columns
        + " from job order by id"
        + idDirection
        + " limit :limit offset :offset";
  }

  private String idsFirstQuery(String columns) {
    String direction = search.order().sqlDirection(search.descending());
    String idDirection = search.descending() ? " desc" : " asc";
    boolean sortsById = search.order() == JobSearch.Order.SUBMITTED;
    return "select "
        + columns
        + " from (%s) as page join job on id = found order by %s"
            .formatted(
                idsQuery(), (sortsById ? "" : "sort_key" + direction + ", ") + "id" + idDirection);
  }

  private String idsQuery() {
    String idDirection = search.descending() ? " desc" : " asc";
    boolean sortsById = search.order() == JobSearch.Order.SUBMITTED;
    return "select id as found, %s as sort_key from job%s order by %s%s limit :limit offset :offset"
        .formatted(
            search.order().column(),
            where(),
            sortsById
                ? "id"
                : search.order().column()
                    + search.order().sqlDirection(search.descending())
                    + ", id",
            idDirection);
  }

  /** Returns only the IDs of a page, in the order of the page. */
  List<String> ids(Handle handle) {
    return bindValues(handle.createQuery(idsQuery()))
        .bind("limit", search.limit())
        .bind("offset", search.offset())
        .map((rows, _) -> rows.getString(1))
        .list();
  }

  /**
   * Returns the total number of matching jobs. On the last page, the total is known without another
   * scan.
   *
   * @param jobsOnPage number of jobs on the page
   */
  long total(Handle handle, int jobsOnPage) {
    boolean isLastPage = jobsOnPage < search.limit() && (jobsOnPage > 0 || search.offset() == 0);
    return isLastPage ? (long) search.offset() + jobsOnPage : count(handle);
  }

  long count(Handle handle) {
    return bindValues(handle.createQuery("select count(*) from job" + where()))
        .mapTo(Long.class)
        .one();
  }

  private Query bindValues(Query query) {
    bindings.forEach(query::bind);
    return query;
  }
}
